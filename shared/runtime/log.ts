import { pino } from 'pino'
import { LogOutput } from './log-output.ts'
import { LOG_LEVELS } from './variables.ts'

/**
 * JSON lines: a fixed short message, facts as fields. Never log message text, cookies, passwords or tokens; as a safety
 * net, fields with such names are removed.
 */
const secret = ['password', 'cookie', 'token', 'session', 'secret', 'authorization', 'content', 'text']

/** Name of this process's service. */
export const SERVICE = process.env['SERVICE'] ?? serviceOf(process.argv[1])

export const log = pino(
  {
    // An unknown level is reported with the other faults of the configuration (config.ts).
    level: LOG_LEVELS.find(level => level === process.env['LOG_LEVEL']) ?? 'info',
    base: { service: SERVICE },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    redact: { paths: secret.flatMap(name => [name, `*.${name}`]), remove: true },
    serializers: { err: errorFields },
  },
  new LogOutput({ service: SERVICE }),
)

/** `previews` runs as two processes: the one of pictures is told apart. */
function serviceOf(script: string | undefined) {
  const [, service, part] = /services\/([a-z]+)\/(?:([a-z]+)\/)?main\.ts$/.exec(script ?? '') ?? []
  return part === 'pictures' ? `${service}-${part}` : (service ?? 'bothy')
}

/**
 * Fields of an error that never have texts of people. Others may: `command` of Redis has the arguments, `detail` and
 * `where` of PostgreSQL have values of a row.
 */
const ERROR_FIELDS = ['code', 'status', 'syscall', 'severity', 'table', 'column', 'constraint', 'routine']

export function errorFields(err: unknown, depth = 0): unknown {
  if (!(err instanceof Error)) return { type: typeof err }
  const { name, message, stack = '', cause } = err
  const said = messageWithoutValues(err)
  const fields = ERROR_FIELDS.flatMap(field => {
    const value = (err as unknown as Record<string, unknown>)[field]
    return typeof value === 'string' || typeof value === 'number' ? [[field, value]] : []
  })
  return {
    type: err.constructor.name || name,
    message: said,
    stack: message === '' ? stack : stack.replace(message, () => said),
    ...Object.fromEntries(fields),
    ...(cause === undefined || depth >= 3 ? {} : { cause: errorFields(cause, depth + 1) }),
  }
}

/** From the first to the last quotation mark, as servers in several languages set them. */
const QUOTED = /["„“«»][\s\S]*["“”«»]/g

/**
 * The message of an error without values of rows and files, for logs, reports and the operator's commands: PostgreSQL quotes
 * a value that it cannot use, and Node the text that is no JSON. An error of several connections has the first message.
 */
export function messageWithoutValues(err: unknown): string {
  if (!(err instanceof Error)) return 'unknown error'
  if (err.message === '' && err instanceof AggregateError && err.errors.length > 0)
    return messageWithoutValues(err.errors[0])
  const isOfValue =
    err instanceof SyntaxError || /^(2[123]|P0)/.test(String((err as { code?: unknown }).code ?? ''))
  return isOfValue ? err.message.replace(QUOTED, '"…"').replace(/0x[0-9a-f].*/is, '…') : err.message
}
