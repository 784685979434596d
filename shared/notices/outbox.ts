import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Notice } from './notice.ts'
import { appendNotice } from './notice-log.ts'

/** The notices of a request, held until its response is written. */
interface Outbox {
  waiting: (() => Promise<void>)[]
  isOpen: boolean
  late: NodeJS.Timeout | undefined
}

/** Notices wait no longer than this for a slow response. */
const LATEST: Milliseconds = 1_000

const ofRequest = new AsyncLocalStorage<Outbox>()

/**
 * Runs the work of a request. Its notices are appended when the response is written or the connection is closed: the
 * client gets the response before the frame that its write causes, and no response waits for Redis. After a crash in
 * between, the frame waits for the gateways' periodic evaluation.
 */
export function collectNotices(response: ServerResponse, work: () => void): void {
  const outbox: Outbox = { waiting: [], isOpen: true, late: undefined }
  const end = () => {
    outbox.isOpen = false
    appendAll(outbox)
  }
  response.once('finish', end)
  response.once('close', end)
  ofRequest.run(outbox, work)
}

/** Within a request resolves at once, else after the first attempt to append. Never rejects. */
export async function publishNotice({ redis, keys }: Stores, notice: Notice): Promise<void> {
  const outbox = ofRequest.getStore()
  const append = () => appendNotice(redis, keys, notice)
  if (!outbox?.isOpen) return append()
  outbox.waiting.push(append)
  outbox.late ??= setTimeout(() => appendAll(outbox), LATEST)
}

function appendAll(outbox: Outbox) {
  clearTimeout(outbox.late)
  outbox.late = undefined
  for (const append of outbox.waiting.splice(0)) void append()
}
