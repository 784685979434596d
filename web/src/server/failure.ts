/** The server's refusal; `status` 0 when it could not be reached at all. */
export class Failure extends Error {
  readonly status: number
  readonly retryAfter: number
  readonly headers: Headers | undefined
  constructor(status: number, words: string, retryAfter = 0, headers?: Headers) {
    super(words)
    this.status = status
    this.retryAfter = retryAfter
    this.headers = headers
  }
}
