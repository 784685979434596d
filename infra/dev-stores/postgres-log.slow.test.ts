import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { eventually } from '#shared/test-kit/eventually.ts'
import { temporaryFolder } from '../processes/children.ts'
import { createCluster, LOGGING, programsFor, serveWhenFree } from './postgres.ts'
import type { Served } from './restart-store.ts'
import { privateFolder, storeAccount } from './store-account.ts'

describe('the log of PostgreSQL', function () {
  this.timeout(180_000)
  const { path: place, remove } = temporaryFolder('bothy-postgres-log-')
  const log = join(place, 'log')
  let served: Served | undefined
  after(async () => {
    await served?.kill()
    remove()
  })

  it('has slow statements, waits and errors, and none of their values', async () => {
    const account = storeAccount()
    privateFolder(place, account)
    const programs = await programsFor(account, place)
    const password = randomBytes(18).toString('base64url')
    const data = join(place, 'data')
    await createCluster(programs, data, account, password, ['--no-sync'])
    served = await serveWhenFree({ programs, data, account, password, log, settings: LOGGING })
    const [one, other] = [new pg.Client(served.url), new pg.Client(served.url)]
    await Promise.all([one.connect(), other.connect()])
    try {
      await one.query('create table texts (id int, content text check (length(content) < 20))')
      await one.query('insert into texts values (1, $1)', ['heather'])
      await one.query('select pg_sleep(0.6), $1::text', ['heather'])
      const refused = await one
        .query('insert into texts values (2, $1)', [`heather${' heather'.repeat(3)}`])
        .catch((err: pg.DatabaseError) => err)
      expect((refused as pg.DatabaseError).detail).to.include('heather')
      await one.query('begin')
      await one.query('update texts set content = $1', ['heather!'])
      const waiting = other.query('update texts set content = $1', ['heather?'])
      await eventually(() => expect(readFileSync(log, 'utf8')).to.include('still waiting for'))
      await one.query('commit')
      await waiting
    } finally {
      await Promise.all([one.end(), other.end()])
    }
    const text = await eventually(() => {
      const all = readFileSync(log, 'utf8')
      expect(all).to.match(/duration: \d+\.\d+ ms .*select pg_sleep\(0\.6\), \$1::text/)
      expect(all).to.include('violates check constraint')
      return all
    })
    expect(text).to.not.include('heather')
  })
})
