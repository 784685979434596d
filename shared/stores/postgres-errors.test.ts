import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import {
  isBrokenConnection,
  isDuplicate,
  isOfDeletedAccount,
  isOverloaded,
  isTimeout,
  isUnavailable,
  type PostgresErrorKind,
  postgresErrorKind,
} from './postgres-errors.ts'

/** Signs of an error, its kind, and whether a request that meets it gets a 503. */
const TABLE: [signs: object, kind: PostgresErrorKind | undefined, unavailable: boolean][] = [
  [{ code: 'EAI_AGAIN' }, 'network', true],
  [{ code: 'ENOTFOUND' }, 'network', true],
  [{ code: 'ECONNREFUSED' }, 'network', true],
  [{ code: 'EHOSTUNREACH' }, 'network', true],
  [{ code: 'ETIMEDOUT' }, 'network', true],
  [{ code: '08006' }, 'serverAway', true],
  [{ code: '53300' }, 'serverAway', true],
  [{ code: '57P03' }, 'serverAway', true],
  [{ code: '55000', severity: 'FATAL' }, 'databaseReplaced', true],
  [{ code: '3D000', severity: 'FATAL' }, 'databaseReplaced', true],
  [{ code: '55000', severity: 'ERROR' }, undefined, false],
  [{ code: '25006' }, 'readOnly', true],
  [{ code: '57014' }, 'statementTimeout', true],
  [{ code: '55P03' }, 'lockTimeout', true],
  [{ code: '25P03' }, 'idleInTransaction', true],
  [{ code: '40P01' }, 'deadlock', true],
  [{ code: '22021' }, 'unstorable', false],
  [{ code: '22P05' }, 'unstorable', false],
  [{ code: '23503' }, 'foreignKey', false],
  [{ code: '23505' }, 'duplicate', false],
  [{ code: '42601' }, undefined, false],
  [{ code: '22P02' }, undefined, false],
  [{}, undefined, false],
]

describe('a failed query', () => {
  for (const [signs, kind, unavailable] of TABLE)
    it(`with ${JSON.stringify(signs)} is of the kind ${kind}`, () => {
      const err = Object.assign(new Error('query'), signs)
      expect(postgresErrorKind(err)).to.equal(kind)
      expect(isUnavailable(err)).to.equal(unavailable)
    })

  it('of no error object is of no kind', () => {
    for (const err of [undefined, null, 'ECONNREFUSED', 7]) expect(postgresErrorKind(err)).to.equal(undefined)
  })

  it('is an overload only if the server replied', () => {
    expect(isOverloaded({ code: '40P01' })).to.equal(true)
    expect(isOverloaded({ code: '53300' })).to.equal(false)
    expect(isOverloaded(new Error('Query read timeout'))).to.equal(false)
  })

  it('tells which constraint was violated', () => {
    expect(isDuplicate({ code: '23505', constraint: 'users_pkey' }, 'users_pkey')).to.equal(true)
    expect(isDuplicate({ code: '23505', constraint: 'users_pkey' }, 'other')).to.equal(false)
    const detail = 'Key (username)=(ada) is not present in table "users".'
    expect(isOfDeletedAccount({ code: '23503', detail })).to.equal(true)
    expect(isOfDeletedAccount({ code: '23503', detail: detail.replace('users', 'channels') })).to.equal(false)
  })
})

/** The messages are those of the installed pg, against a server that speaks no more than its greeting. */
describe('errors of pg without a code', () => {
  const AUTHENTICATED_AND_READY = Buffer.from('520000000800000000' + '5a0000000549', 'hex')
  let server: Server
  let greets: boolean
  const sockets = new Set<Socket>()
  const undo: (() => unknown)[] = []

  beforeEach(async () => {
    greets = true
    server = createServer(socket => {
      sockets.add(socket)
      socket.on('error', () => {})
      if (greets) socket.once('data', () => socket.write(AUTHENTICATED_AND_READY))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })

  afterEach(async () => {
    breakConnections()
    for (const act of undo.splice(0)) await act()
    await new Promise(resolve => server.close(resolve))
  })

  const breakConnections = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const options = () => ({
    host: '127.0.0.1',
    port: (server.address() as { port: number }).port,
    user: 'ada',
  })
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('no error'),
      (err: Error) => err,
    )

  function client(more: pg.ClientConfig = {}) {
    const made = new pg.Client({ ...options(), ...more })
    made.on('error', () => {})
    undo.push(() => made.end().catch(() => {}))
    return made
  }

  function expectKind(err: Error, kind: PostgresErrorKind) {
    expect(postgresErrorKind(err), err.message).to.equal(kind)
    expect(isUnavailable(err) && isBrokenConnection(err), err.message).to.equal(true)
  }

  it('say that a statement got no reply in time', async () => {
    const silent = client({ query_timeout: 20 })
    await silent.connect()
    const err = await failure(silent.query('select 1'))
    expectKind(err, 'silence')
    expect(isTimeout(err)).to.equal(true)
  })

  it('say that the connection broke during a statement, and before the next', async () => {
    const broken = client()
    await broken.connect()
    const during = failure(broken.query('select 1'))
    for (const socket of sockets) socket.end()
    expectKind(await during, 'connectionLost')
    expectKind(await failure(broken.query('select 1')), 'connectionLost')
  })

  it('say that the client was closed', async () => {
    const closed = client()
    await closed.connect()
    const ended = closed.end()
    breakConnections()
    await ended
    expectKind(await failure(closed.query('select 1')), 'connectionLost')
  })

  it('say that there was no connection in time', async () => {
    greets = false
    expectKind(await failure(client({ connectionTimeoutMillis: 20 }).connect()), 'connectTimeout')
    const pool = new pg.Pool({ ...options(), connectionTimeoutMillis: 20 })
    undo.push(() => pool.end())
    expectKind(await failure(pool.connect()), 'connectionLost')
  })

  it('say that the pool had no free connection in time', async () => {
    const pool = new pg.Pool({ ...options(), max: 1, connectionTimeoutMillis: 20 })
    const first = await pool.connect()
    first.on('error', () => {})
    expectKind(await failure(pool.connect()), 'connectTimeout')
    first.release(true)
    await pool.end()
  })
})
