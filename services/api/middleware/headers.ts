import type { RequestHandler } from 'express'
import type { Config } from '#shared/runtime/config.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

/** Seconds. Browsers let nobody past a warning for this long, and an own authority may be lost. */
const HTTPS_ONLY = { ownAuthority: 86_400, usual: 31_536_000 }

/** Headers of every response (security 10); cacheable routes override `no-store`. */
export function securityHeaders(config: Pick<Config, 'publicUrl' | 'authorityCertificate'>): RequestHandler {
  const headers: Record<string, string> = {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(self), display-capture=(self), geolocation=()',
    'Cache-Control': 'no-store',
  }
  if (config.publicUrl?.protocol === 'https:') {
    const seconds = config.authorityCertificate === undefined ? HTTPS_ONLY.usual : HTTPS_ONLY.ownAuthority
    headers['Strict-Transport-Security'] = `max-age=${seconds}`
    // Without TLS browsers ignore it and log a warning on every page.
    headers['Cross-Origin-Opener-Policy'] = 'same-origin'
  }
  return (_req, res, next) => {
    res.set(headers)
    next()
  }
}
