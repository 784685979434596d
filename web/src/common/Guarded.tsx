import type { ComponentChildren } from 'preact'
import { strings } from '../i18n/i18n.ts'
import { isPhone } from '../store/store.ts'
import { Boundary } from '../ui/Boundary.tsx'
import { showToast } from '../ui/feedback.ts'
import { Icon } from '../ui/Icon.tsx'

/** The values of `place` of interface 17.6. */
export type Place = 'app' | 'sidebar' | 'channel' | 'panel' | 'call' | 'dialog' | 'row' | 'part' | 'response'

interface Props {
  place: Place
  children: ComponentChildren
  resetOn?: unknown
}

/** A region that shows a sentence and a button instead of an empty page when it cannot be drawn. */
export function Guarded({ place, children, resetOn }: Props) {
  return (
    <Boundary
      resetOn={resetOn}
      onError={error => reportBroken(place, error)}
      fallback={() => <Broken place={place} />}
    >
      {children}
    </Boundary>
  )
}

/** For what floats above the regions: a toast in its place. */
export function GuardedOverlay({ place, children }: Props) {
  const onError = (error: unknown) => {
    reportBroken(place, error)
    const action = { label: strings.connection.reload, run: reload }
    showToast(strings.broken.title, { icon: 'alert', action })
  }
  return (
    <Boundary onError={onError} fallback={() => null}>
      {children}
    </Boundary>
  )
}

/** watchdog.js sends it to the server, without the text of the error. */
export function reportBroken(place: Place, error: unknown) {
  dispatchEvent(new CustomEvent('bothy-error', { detail: { place, error } }))
}

function Broken({ place }: { place: Place }) {
  // On a phone the region is the whole view.
  const Title = isPhone.value ? 'h1' : 'b'
  return (
    <div class={`centred is-${place}${place === 'panel' ? ' panel' : ''}`}>
      <div class="empty-state" role="alert">
        <Icon name="alert" size={24} />
        <Title>{strings.broken.title}</Title>
        <p>{strings.broken.more}</p>
        <ReloadButton />
      </div>
    </div>
  )
}

export function ReloadButton() {
  return (
    <button type="button" class="button" onClick={reload}>
      {strings.connection.reload}
    </button>
  )
}

const reload = () => location.reload()
