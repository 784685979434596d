import { expect } from 'chai'
import { type Secrets, secretsUnder } from '#shared/stores/secrets.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { Notifier } from './notifier.ts'

describe('the notifier', () => {
  let backing: TestBacking
  let stores: OpenStores
  let secrets: Secrets
  let notifier: Notifier
  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
    const keys = { secretsKey: undefined, sessionSecret: 'k'.repeat(40), previousSessionSecret: undefined }
    secrets = secretsUnder(keys)
    notifier = new Notifier(stores, { secrets, host: 'bothy.example' })
  })
  after(async () => {
    await notifier?.stop()
    await stores?.stop()
    await backing?.drop()
  })

  /** Resolves when an event has been looked at: a round of the notifier has begun since. */
  async function round() {
    const { rows } = await stores.db.query<{ id: number }>(
      `insert into outgoing_events (kind, ref) values ('none', '{}') returning id`,
    )
    const events = () => stores.db.query('select from outgoing_events where id = $1', [rows[0]!.id])
    await eventually(async () => expect((await events()).rowCount).to.equal(0))
  }

  it('writes nothing to what is due while no worker is there', async () => {
    await stores.db.query(`insert into users (username, password_hash, created_ts) values ('bot', '', 0)`)
    await stores.db.query(
      `insert into hooks_out (id, name, url, format, secret_enc, verify_token_enc, bot, events, created_ts)
       overriding system value
       values (1, 'hook', 'http://127.0.0.1:1/', 'standard', $1, $2, 'bot', '{channel.archived}', 0)`,
      [secrets.seal('whsec_', 'hooks_out:1:secret'), secrets.seal('token', 'hooks_out:1:verify_token')],
    )
    await stores.db.query(
      `insert into deliveries (kind, target_id, event, next_try_ts, created_ts)
       select 'hook', 1, '{"type": "channel.archived", "data": {"id": "general"}}', 1, 1 from generate_series(1, 200)`,
    )
    notifier.start()
    for (let rounds = 0; rounds < 5; rounds++) await round()
    const { rows } = await stores.db.query(
      `select state, attempt, next_try_ts, last_error, count(*)::integer as count
         from deliveries group by 1, 2, 3, 4`,
    )
    expect(rows).to.deep.equal([
      { state: 'waiting', attempt: 0, next_try_ts: 1, last_error: null, count: 200 },
    ])
  })
})
