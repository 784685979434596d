/** The saved messages of the viewer and their changes. Loaded with the first part that shows them. */
import { effect, signal } from '@preact/signals'
import type { MessagePayload, Page, SavedPayload } from '#shared/domain/payloads.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { json, request } from '../../net/endpoints.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { me } from '../../store/store.ts'
import { announce, showToast } from '../../ui/feedback.ts'

/** Open ones, in the order of the server; undefined until loaded. */
export const saved = signal<SavedPayload[] | undefined>(undefined)
export const hasFailed = signal(false)

let loading: Promise<void> | undefined
let loadedRev = -1

/** All open ones, at most 1,000. */
export function loadSaved(): Promise<void> {
  loading ??= load().finally(() => {
    loading = undefined
  })
  return loading
}

async function load() {
  hasFailed.value = false
  try {
    loadedRev = me.peek()?.later_rev ?? 0
    const items: SavedPayload[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<SavedPayload> = await json(savedPath('open', cursor || undefined), undefined, isPage)
      items.push(...page.items)
      cursor = page.next
    }
    saved.value = items
  } catch (error) {
    tolerateFailure(error)
    hasFailed.value = true
  }
}

const isPage = (page: Page<SavedPayload>) => Array.isArray(page.items)

export const savedPath = (state: 'open' | 'done', cursor?: string) =>
  `/saved?state=${state}&limit=200${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`

// Another device may change the list.
effect(() => {
  const rev = me.value?.later_rev
  if (rev !== undefined && rev !== loadedRev && saved.peek()) void loadSaved()
})

const find = (id: number) => saved.peek()?.find(one => one.message.id === id)

export async function toggleSaved({ id }: MessagePayload) {
  if (!saved.peek()) await loadSaved()
  if (find(id)) await act(id, 'DELETE', undefined, strings.later.removed)
  else await act(id, 'PUT', {}, strings.later.saved)
}

/** Saves the message if it is not saved yet. */
export async function remindAt({ id }: MessagePayload, ts: Seconds | null) {
  if (!saved.peek()) await loadSaved()
  const words = strings.later.reminding(ts)
  await act(id, find(id) ? 'PATCH' : 'PUT', { remind_ts: ts }, words)
}

export const setDone = ({ id }: MessagePayload, done: boolean) =>
  act(id, 'PATCH', { done }, done ? strings.later.isDone : strings.later.isOpen)

export const setNote = ({ id }: MessagePayload, note: string) =>
  act(id, 'PATCH', { note }, strings.later.noteKept)

export const removeSaved = ({ id }: MessagePayload) => act(id, 'DELETE', undefined, strings.later.removed)

async function act(id: number, method: string, body: unknown, words: string) {
  try {
    const headers = { 'Content-Type': 'application/json' }
    await request(`/saved/${id}`, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    })
    showToast(words, { icon: 'bookmark' })
    announce(words)
    await loadSaved()
  } catch (error) {
    tolerateFailure(error)
    showToast(error.status === 409 ? strings.later.tooMany : strings.later.notSaved, { icon: 'alert' })
  }
}
