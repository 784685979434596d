import { effect } from '@preact/signals'
import type { CustomEmojiPayload } from '#shared/domain/payloads/messages.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { customEmoji } from '../../store/messages/custom-emoji.ts'
import { workspace } from '../../store/store.ts'
import { request, validated } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

/** No revision is negative. */
const UNKNOWN = -1
/** The list is read within this time after a change by somebody else. */
const SPREAD: Milliseconds = 10_000

/** Keeps the emoji of the workspace up to date: reads them again when their revision has changed. */
export function watchEmoji() {
  /** Requested or loaded. A failed request is repeated with the next event. */
  let known = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const rev = workspace.value?.emoji_rev ?? 0
    if (rev === known) return
    // All open tabs learn of a change at the same time.
    const delay = known === 0 || customEmoji.peek().size === 0 ? 0 : Math.random() * SPREAD
    known = rev
    clearTimeout(timer)
    timer = setTimeout(async () => {
      if (!(await loadEmojiList()) && known === rev) known = UNKNOWN
    }, delay)
  })
}

let requests = 0
/** Number of the newest request whose response is shown. */
let shown = 0

/** Returns false if the request failed. */
export async function loadEmojiList(): Promise<boolean> {
  const call = ++requests
  try {
    const list = await validated<CustomEmojiPayload[]>('/emoji', Array.isArray)
    // Responses may arrive in another order.
    if (call < shown) return true
    shown = call
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
