import { effect } from '@preact/signals'
import type { CustomEmojiPayload } from '#shared/domain/payloads.ts'
import { customEmoji } from '../store/custom-emoji.ts'
import { workspace } from '../store/store.ts'
import { request, validated } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

/** No revision is negative. */
const UNKNOWN = -1

/** Keeps the emoji of the workspace up to date: reads them again when their revision has changed. */
export function watchEmoji() {
  /** Requested or loaded. A failed request is repeated with the next event. */
  let known = 0
  effect(() => {
    const rev = workspace.value?.emoji_rev ?? 0
    if (rev === known) return
    known = rev
    void loadEmojiList().then(isLoaded => {
      if (!isLoaded && known === rev) known = UNKNOWN
    })
  })
}

/** Returns false if the request failed. */
export async function loadEmojiList(): Promise<boolean> {
  try {
    const list = await validated<CustomEmojiPayload[]>('/emoji', Array.isArray)
    customEmoji.value = new Map(list.map(one => [one.name, one]))
    return true
  } catch (error) {
    tolerateFailure(error)
    return false
  }
}

/** Throws `Failure`. */
export async function addEmoji(name: string, image: File) {
  const body = new FormData()
  body.set('name', name)
  body.append('image', image)
  await request('/emoji', { method: 'POST', body })
  await loadEmojiList()
}

/** Throws `Failure`. */
export async function removeEmoji(name: string) {
  await request(`/emoji/${encodeURIComponent(name)}`, { method: 'DELETE' })
  await loadEmojiList()
}
