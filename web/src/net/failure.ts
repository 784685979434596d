/** A refusal by the server, with its status; 0 if the server could not be reached. */
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
