import { signal } from '@preact/signals'
import { persisted } from '../device/persisted.ts'
import { viewer } from '../store.ts'

const entry = persisted(`bothy fold-replies ${viewer}`)

const kept = () => entry.read() === 'yes'

/** The preference `fold_replies`, kept on this device for the first paint. */
export const foldReplies = signal(kept())

export function takeFoldReplies(on: boolean) {
  foldReplies.value = on
  entry.write(on ? 'yes' : 'no')
}

entry.onChange(() => {
  foldReplies.value = kept()
})
