/** A request with upload progress that can be aborted. */
import { Failure } from './failure.ts'

export interface Underway {
  /** Aborted by the user, or with a `TimeoutError` when there is no progress. */
  signal: AbortSignal
  /** From 0 to 1: share of the body that was sent. */
  onProgress: (share: number) => void
}

export interface Sent {
  response: Response
  /** XMLHttpRequest follows the redirect to the login page and exposes only the final address. */
  isLogin: boolean
}

export interface Body {
  method: 'POST' | 'PATCH'
  body: FormData | Blob
  headers?: Record<string, string>
}

export function sentWithProgress(
  path: string,
  { method, body, headers = {} }: Body,
  { signal, onProgress }: Underway,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    if (signal.aborted) return reject(endOf(signal))
    signal.addEventListener('abort', stop, { once: true })
    request.upload.onprogress = event => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total)
    }
    // A later error discards a response that has already arrived, so a refusal is saved when it arrives.
    let refusal: Sent | undefined
    request.onreadystatechange = () => {
      if (request.status >= 400 && request.status < 500) refusal = answerTo(request, path)
    }
    request.onabort = () => reject(endOf(signal))
    request.onerror = () => (refusal ? resolve(refusal) : reject(new Failure(0, '')))
    request.onload = () => resolve(answerTo(request, path))
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.open(method, path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}

function answerTo(request: XMLHttpRequest, path: string): Sent {
  const headers = new Headers()
  for (const name of ['Content-Type', 'Retry-After', 'X-Message-Id']) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return {
    response: new Response(request.responseText, { status: request.status, headers }),
    isLogin: new URL(request.responseURL || path, location.href).pathname === '/login',
  }
}

const endOf = (signal: AbortSignal) =>
  signal.reason?.name === 'TimeoutError' ? new Failure(0, '') : (signal.reason as DOMException)
