import { pino } from 'pino'

/**
 * JSON lines: a fixed short message, facts as fields. Never log message text, cookies, passwords or tokens; as a safety
 * net, fields with such names are removed.
 */
const secret = ['password', 'cookie', 'token', 'session', 'secret', 'authorization', 'content', 'text']

/** Name of this process's service. */
export const SERVICE = process.env['SERVICE'] ?? serviceOf(process.argv[1])

export const log = pino({
  level: process.env['LOG_LEVEL'] ?? 'info',
  base: { service: SERVICE },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: label => ({ level: label }) },
  redact: { paths: secret.flatMap(name => [name, `*.${name}`]), remove: true },
  serializers: { err: pino.stdSerializers.err },
})

function serviceOf(script: string | undefined) {
  return /services\/([a-z]+)\/main\.ts$/.exec(script ?? '')?.[1] ?? 'bothy'
}
