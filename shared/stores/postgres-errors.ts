import pg from 'pg'

interface Signs {
  /** SQLSTATE of the server, or code of the system. */
  code?: RegExp
  /** Messages of pg, whose own errors have no code. */
  message?: RegExp
  /** The server ended the connection with it. */
  isFatal?: true
}

/** Failures that leave the statement unexecuted or unanswered: a 503, not a 500. */
const UNAVAILABLE = {
  /** No route, no name, no listener, or a connection that broke. */
  network: { code: /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ETIMEDOUT)/ },
  /** pg found the connection closed. */
  connectionLost: {
    message: /Connection terminated|Client has encountered a connection error|Client was closed/,
  },
  /** No connection, or no free one of the pool, in time. */
  connectTimeout: { message: /timeout exceeded when trying to connect|^timeout expired$/ },
  /** A statement got no reply in time. */
  silence: { message: /^Query read timeout$/ },
  /** Classes 08 connection, 53 resources, and 57P0x shutdown. */
  serverAway: { code: /^(08|53|57P0)/ },
  /** A restore replaces the database: it takes no connections, or has no name. */
  databaseReplaced: { code: /^(55000|3D000)$/, isFatal: true },
  /** The server has become a standby, or its operator forbids writes: nothing was changed. */
  readOnly: { code: /^25006$/ },
  statementTimeout: { code: /^57014$/ },
  lockTimeout: { code: /^55P03$/ },
  idleInTransaction: { code: /^25P03$/ },
  deadlock: { code: /^40P01$/ },
} as const satisfies Record<string, Signs>

/** Failures of a statement that the server executed. */
const REFUSED = {
  /** Text with a NUL, or as JSON with a lone surrogate. */
  unstorable: { code: /^(22021|22P05)$/ },
  foreignKey: { code: /^23503$/ },
  duplicate: { code: /^23505$/ },
} as const satisfies Record<string, Signs>

const KINDS: Record<string, Signs> = { ...UNAVAILABLE, ...REFUSED }

export type PostgresErrorKind = keyof typeof UNAVAILABLE | keyof typeof REFUSED

interface PostgresError {
  code?: string
  severity?: string
  message?: string
  detail?: string
  constraint?: string
}

/** Undefined for an error of another origin, and for a faulty statement. */
export function postgresErrorKind(err: unknown): PostgresErrorKind | undefined {
  const { code = '', severity, message = '' } = (err ?? {}) as PostgresError
  const match = Object.entries(KINDS).find(
    ([, signs]) =>
      (signs.code?.test(code) ?? signs.message?.test(message)) && (!signs.isFatal || severity === 'FATAL'),
  )
  return match?.[0] as PostgresErrorKind | undefined
}

const isKind =
  (...kinds: PostgresErrorKind[]) =>
  (err: unknown): boolean => {
    const kind = postgresErrorKind(err)
    return kind !== undefined && kinds.includes(kind)
  }

/** True if the database is down or overloaded, as opposed to a faulty statement. */
export function isUnavailable(err: unknown): boolean {
  const kind = postgresErrorKind(err)
  return kind !== undefined && kind in UNAVAILABLE
}

/** The server replied: it gave up a statement because of a time limit, a lock or a deadlock. */
export const isOverloaded = isKind('statementTimeout', 'lockTimeout', 'idleInTransaction', 'deadlock')

export const isOfReadOnly = isKind('readOnly')
export const isSilence = isKind('silence')
/** PostgreSQL cancelled the statement because of its time limit. */
export const isStatementTimeout = isKind('statementTimeout')
/** A statement was cancelled because it took too long, or got no reply in time. */
export const isTimeout = isKind('statementTimeout', 'silence')
/** PostgreSQL cancelled this transaction to resolve a deadlock. */
export const isDeadlock = isKind('deadlock')
export const isUnstorable = isKind('unstorable')

/** The failure is not a reply of the server: the connection is unusable. */
export const isBrokenConnection = (err: unknown): boolean =>
  !(err instanceof pg.DatabaseError) && isUnavailable(err)

/** True if a row refers to an account that was just deleted. */
export const isOfDeletedAccount = (err: unknown): boolean =>
  postgresErrorKind(err) === 'foreignKey' &&
  /is not present in table "users"/.test((err as PostgresError).detail ?? '')

/** True for a `unique_violation` of this index. */
export const isDuplicate = (err: unknown, constraint: string): boolean =>
  postgresErrorKind(err) === 'duplicate' && (err as PostgresError).constraint === constraint
