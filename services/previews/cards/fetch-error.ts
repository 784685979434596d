export type Reason = 'refused' | 'failed' | 'timeout' | 'status' | 'type' | 'size' | 'redirects'

interface Details {
  status?: number
  isTemporary?: boolean
  cause?: unknown
}

/** A failed fetch and its reason. `isTemporary`: a retry in a minute may succeed. */
export class FetchError extends Error {
  readonly reason: Reason
  readonly status: number | undefined
  readonly isTemporary: boolean

  constructor(reason: Reason, why: string, { status, isTemporary = false, cause }: Details = {}) {
    super(`${reason}: ${why}`, { cause })
    this.name = 'FetchError'
    this.reason = reason
    this.status = status
    this.isTemporary = isTemporary
  }
}

/** Error codes of faults of the network or the server. */
const TEMPORARY_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ESERVFAIL',
  'ETIMEDOUT',
  'ETIMEOUT',
  'UND_ERR_SOCKET',
])
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'ETIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const SIZE_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'])

/** Converts a failure of a fetch to `FetchError`; errors that no network causes are bugs and stay unchanged. */
export function asFetchError(err: unknown, signal: AbortSignal): unknown {
  if (err instanceof FetchError) return err
  if (signal.aborted) return signal.reason instanceof FetchError ? signal.reason : ofAbort(signal.reason)
  if (!(err instanceof Error && 'code' in err)) return err
  // Some parser errors have a name but no code.
  const code = String(err.code ?? err.name)
  const details = { isTemporary: TEMPORARY_CODES.has(code) || TIMEOUT_CODES.has(code), cause: err }
  if (TIMEOUT_CODES.has(code)) return new FetchError('timeout', code, details)
  if (SIZE_CODES.has(code)) return new FetchError('size', code, details)
  return new FetchError('failed', code, details)
}

function ofAbort(cause: unknown) {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  return new FetchError(isTimeout ? 'timeout' : 'failed', 'given up by the caller', {
    isTemporary: true,
    cause,
  })
}
