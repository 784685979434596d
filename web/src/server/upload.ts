/** A request whose progress can be followed, and which can be stopped on its way. */
import { Failure } from './failure.ts'

export interface Underway {
  /** Aborted by a person, or with a `TimeoutError` because nothing moves. */
  signal: AbortSignal
  /** From 0 to 1: what of the body has left this device. */
  onProgress: (share: number) => void
}

export interface Sent {
  response: Response
  /** A request of this kind follows the redirect to the login page, and tells only where it arrived. */
  isLogin: boolean
}

export function sentWithProgress(
  path: string,
  body: FormData,
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
    // An error takes the answer away from the request, also one that has come: a refusal is noted as it arrives.
    let refusal: Sent | undefined
    request.onreadystatechange = () => {
      if (request.status >= 400 && request.status < 500) refusal = answerTo(request, path)
    }
    request.onabort = () => reject(endOf(signal))
    request.onerror = () => (refusal ? resolve(refusal) : reject(new Failure(0, '')))
    request.onload = () => resolve(answerTo(request, path))
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.open('POST', path)
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
