import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Milliseconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Notice } from './notice.ts'
import { appendNotice } from './notice-log.ts'

/** The notices of one request, until its response is written. */
interface Outbox {
  waiting: (() => Promise<void>)[]
  isOpen: boolean
  late: NodeJS.Timeout | undefined
}

/** A response that takes longer, after the commit, does not keep the others waiting. */
const LATEST: Milliseconds = 1_000

const ofRequest = new AsyncLocalStorage<Outbox>()

/**
 * Runs the work of a request. The notices that it publishes are appended when its response is written or its connection is
 * closed: a client has the answer to its own write before the frame that the write causes, and no answer waits for
 * Redis. A process that crashes in between delays the frame until gateways look again.
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

/** Within a request: resolves at once. Outside: when the notice was tried to be appended. Never rejects. */
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
