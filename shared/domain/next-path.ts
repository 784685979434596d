/** The page to continue with after signing in. */

const START = '/'
const LONGEST = 2_000
/** Any base: only the origin of the result counts. */
const HERE = 'http://here.invalid'
/** These would end the new session, or ask for it again. */
const NOT_AFTER_SIGN_IN = /^\/(?:login|signup|logout)(?:[/?#]|$)/i

/**
 * Returns the path if it stays on this server, else `/`. Browsers read `//host` and `/\host` as another server, and
 * ignore tabs and line breaks in between; the path is therefore checked as a browser resolves it.
 */
export function nextPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST || !isLocal(value)) return START
  if (!URL.canParse(value, HERE)) return START
  const { origin, pathname, search, hash } = new URL(value, HERE)
  const path = pathname + search + hash
  return origin === HERE && isLocal(path) && !NOT_AFTER_SIGN_IN.test(path) ? path : START
}

/** Printable characters, the first a single `/`. */
const isLocal = (path: string) => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)

/** The address of the sign-in page that continues with a path. */
export function signInPath(page: '/login' | '/signup', next: string): string {
  return next === START ? page : `${page}?next=${encodeURIComponent(next)}`
}
