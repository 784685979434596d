import { randomUUID } from 'node:crypto'

const VALID = /^[\w.:-]{1,64}$/

/**
 * Names a request, so that an operator finds the log lines of a failure that a person reports: the `X-Request-Id` of a
 * trusted proxy (TRUST_PROXY), else a new UUID.
 */
export function requestIdFrom(header: string | string[] | undefined, trustProxy: number): string {
  return trustProxy > 0 && typeof header === 'string' && VALID.test(header) ? header : randomUUID()
}
