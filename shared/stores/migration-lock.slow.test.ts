import { mock } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { log } from '#shared/runtime/log.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { migrate } from './migrate.ts'

describe('a process that waits for the migrations of another', () => {
  let backing: TestBacking
  let holder: pg.Client
  before(async () => {
    backing = await testBacking()
    holder = new pg.Client(backing.adminDatabaseUrl)
    await holder.connect()
  })
  after(async () => {
    mock.restoreAll()
    await holder.end()
    await backing.drop()
  })

  it('says every few seconds which session it waits for', async () => {
    const { rows } = await holder.query<{ pid: number }>(
      'select pg_backend_pid() as pid, pg_advisory_lock($1)',
      [ADVISORY_LOCKS.migrations],
    )
    const lines: unknown[][] = []
    mock.method(log, 'warn', (...line: unknown[]) => void lines.push(line))
    const waiting = migrate(backing.ownerDatabaseUrl)
    const line = [{ pid: rows[0]!.pid }, 'waiting for the migration lock']
    await eventually(() => expect(lines.slice(0, 2)).to.deep.equal([line, line]), 60_000)
    await holder.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrations])
    expect(await waiting).to.deep.equal([])
  }).timeout(240_000)
})
