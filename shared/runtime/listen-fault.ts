import { ConfigurationError } from './config.ts'
import { unusable } from './variables.ts'

interface Wanted {
  port: number
  host: string | undefined
  /** The variable that sets the port. */
  variable: 'PORT' | 'METRICS_PORT'
}

/** The fault of the variable because of which nothing can listen; undefined for other errors. */
export function listenFault(
  err: unknown,
  { port, host = '', variable }: Wanted,
): ConfigurationError | undefined {
  const { code = '' } = err as { code?: string }
  const ofPort = (reason: string, next: string) =>
    new ConfigurationError([unusable(variable, String(port), reason, next)])
  if (code === 'EADDRINUSE') return ofPort('another program has this port', 'Choose another port.')
  if (code === 'EACCES')
    return ofPort('this port needs more rights than the account has', 'Choose one from 1024 on.')
  // ENOTFOUND and EAI_AGAIN come from the look-up of a name.
  if (!/^(EADDRNOTAVAIL|EINVAL|EAFNOSUPPORT|ENOTFOUND|EAI_)/.test(code)) return undefined
  const next = 'Correct or remove it: “ip address” lists those of this machine.'
  return new ConfigurationError([unusable('LISTEN_HOST', host, 'this machine has no such address', next)])
}
