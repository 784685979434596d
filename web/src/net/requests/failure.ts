import { tolerate } from '../../store/device/tolerate.ts'

/** A refusal by the server, with its status; 0 if the server could not be reached. */
export class Failure extends Error {
  readonly status: number
  readonly retryAfter: number
  readonly headers: Headers | undefined
  /** Set by responses in JSON: `conflict`, `confirm_required`, … (interface 10). */
  readonly code: string | undefined
  constructor(status: number, words: string, retryAfter = 0, headers?: Headers, code?: string) {
    super(words)
    this.status = status
    this.retryAfter = retryAfter
    this.headers = headers
    this.code = code
  }
}

/** Rethrows all other errors. For `catch` blocks, and for promises whose failure changes nothing. */
export function tolerateFailure(error: unknown): asserts error is Failure {
  tolerate(error, Failure)
}
