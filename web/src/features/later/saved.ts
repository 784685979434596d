/** The saved messages of the viewer and their changes. Loaded with the first part that shows them. */
import { effect, signal } from '@preact/signals'
import type { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { json, request } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { me } from '../../store/store.ts'
import { announce, showToast } from '../../ui/feedback.ts'

/** Open ones, in the order of the server; undefined until loaded. */
export const saved = signal<SavedPayload[] | undefined>(undefined)
export const hasFailed = signal(false)

let loading: Promise<void> | undefined
let isAskedAgain = false
let loadedRev = -1

/** All open ones, at most 1,000. */
export function loadSaved(): Promise<void> {
  // The request under way may have read the list before the change that is the reason for this one.
  isAskedAgain = loading !== undefined
  loading ??= loadAll().finally(() => {
    loading = undefined
  })
  return loading
}

async function loadAll() {
  do {
    isAskedAgain = false
    await load()
  } while (isAskedAgain && !hasFailed.peek())
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

/** Without the list nothing changes: a PUT would erase the note and the reminder of a message that is saved. */
export async function toggleSaved({ id }: MessagePayload) {
  if (!saved.peek()) await loadSaved()
  if (!saved.peek()) showToast(strings.later.notSaved, { icon: 'alert' })
  else if (find(id)) await act(() => change(id, 'DELETE'), strings.later.removed)
  else await act(() => change(id, 'PUT', {}), strings.later.saved)
}

/** Saves the message if it is not saved yet. */
export async function remindAt({ id }: MessagePayload, ts: Seconds | null) {
  await act(() => remind(id, ts), strings.later.reminding(ts))
}

export const setDone = ({ id }: MessagePayload, done: boolean) =>
  act(() => change(id, 'PATCH', { done }), done ? strings.later.isDone : strings.later.isOpen)

export const setNote = ({ id }: MessagePayload, note: string) =>
  act(() => change(id, 'PATCH', { note }), strings.later.noteKept)

export const removeSaved = ({ id }: MessagePayload) => act(() => change(id, 'DELETE'), strings.later.removed)

/** Saves the message if it is not saved yet; its note stays. */
export async function remind(id: number, ts: Seconds | null) {
  try {
    await change(id, 'PATCH', { remind_ts: ts })
  } catch (error) {
    tolerateFailure(error)
    if (error.status !== 404) throw error
    await change(id, 'PUT', { remind_ts: ts })
  }
}

const change = (id: number, method: string, body?: unknown) =>
  request(`/saved/${id}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })

async function act(ask: () => Promise<unknown>, words: string) {
  try {
    await ask()
    showToast(words, { icon: 'bookmark' })
    announce(words)
    await loadSaved()
  } catch (error) {
    tolerateFailure(error)
    showToast(error.status === 409 ? strings.later.tooMany : strings.later.notSaved, { icon: 'alert' })
  }
}
