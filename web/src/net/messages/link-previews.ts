/** Link cards (interface 4.4), requested when a message is on the screen: connects the queue to the browser. */
import { effect, type ReadonlySignal } from '@preact/signals'
import type { CodePreviewPayload, LinkPreviewPayload } from '#shared/domain/payloads/previews.ts'
import { connection } from '../../store/store.ts'
import { json, request } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { type Answer, CardQueue } from './card-queue.ts'

const queue = new CardQueue({
  ask,
  now: () => performance.now(),
  later: (delay, run) => void setTimeout(run, delay),
  isOnline: () => navigator.onLine && connection.peek() !== 'dead',
})
addEventListener('online', () => queue.wake())
effect(() => {
  if (connection.value !== 'dead') queue.wake()
})

export const linkCard = (address: string): ReadonlySignal<LinkPreviewPayload | undefined> =>
  queue.cardOf(address)
export const wantLinkCard = (address: string) => queue.want(address)

async function ask(address: string): Promise<Answer> {
  try {
    const response = await request(`/link_preview?url=${encodeURIComponent(address)}`)
    // With an empty card: the server had no time to fetch it.
    const later = Number(response.headers.get('Retry-After'))
    return later > 0 ? { late: later * 1_000 } : ((await response.json()) as LinkPreviewPayload)
  } catch (error) {
    tolerateFailure(error)
    if (error.status === 429) return { retry: Math.max(1, error.retryAfter) * 1_000 }
    if (error.status === 0) return { failed: 'network' }
    return error.status >= 500 ? { failed: 'server' } : {}
  }
}

const MOST_FILES = 20
const files = new Map<string, CodePreviewPayload>()

/** Preview of a stored text file; undefined when it has none. */
export async function filePreview(filename: string): Promise<CodePreviewPayload | undefined> {
  const known = files.get(filename)
  if (known) return known
  const preview = await json<LinkPreviewPayload>(`/file_preview/${encodeURIComponent(filename)}`)
  if (!isCode(preview)) return undefined
  files.set(filename, preview)
  if (files.size > MOST_FILES) files.delete(files.keys().next().value!)
  return preview
}

const isCode = (preview: LinkPreviewPayload): preview is CodePreviewPayload => preview.type === 'code'
