import { expect } from 'chai'
import pg from 'pg'
import { inTransaction } from '#shared/stores/postgres.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { slowAfterSteps } from './step-limit.fixture.ts'
import { StepLimit } from './step-limit.ts'

const USUAL = 20_000

describe('the time limit of a step', function () {
  this.timeout(60_000)
  let backing: TestBacking
  let pool: pg.Pool
  before(async () => {
    backing = await testBacking()
    pool = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: 1 })
  })
  after(async () => {
    await pool.end()
    await backing.drop()
  })

  it('cancels its step alone, however slow the server is with the messages after it', async () => {
    let slowed = 0
    await inTransaction(
      pool,
      async tx => {
        const db = slowAfterSteps(tx, () => slowed++)
        const limit = new StepLimit(db)
        const sleep = (seconds: number) => async () => {
          await db.query('select pg_sleep($1::float8)', [seconds])
          return 'in time'
        }
        for (const [most, seconds, result] of [
          [1_000, 0, 'in time'],
          [1_000, 0, 'in time'],
          [50, 60, undefined],
          [1_000, 0, 'in time'],
        ] as const)
          expect(await limit.within(most, sleep(seconds))).to.equal(result)
        expect(slowed).to.equal(2)
        await limit.lift()
        expect(slowed).to.equal(3)
        const { rows } = await tx.query<{ ms: string }>(
          `select setting as ms from pg_settings where name = 'statement_timeout'`,
        )
        expect(rows[0]!.ms).to.equal(String(USUAL))
      },
      { statement: USUAL },
    )
  })

  it('keeps other failures', async () => {
    const attempt = inTransaction(pool, tx => new StepLimit(tx).within(5_000, () => tx.query('select 1 / 0')))
    expect(await attempt.catch(err => (err as pg.DatabaseError).code)).to.equal('22012')
  })
})
