import { expect } from 'chai'
import pg from 'pg'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const REACTION_NAMES = [...REACTION_EMOJI.keys()]

describe('reactions', () => {
  let world: World
  let db: pg.Pool
  before(async () => {
    world = await newWorld({ apis: 2 })
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const reactionsOn = async (id: number) => {
    const row = (await world.ada.messages('general')).find(message => message.id === id)!
    return JSON.parse(row.reactions ?? '{}') as Record<string, string[]>
  }
  const set = (who: Person, id: number, reaction: string, on: string) =>
    who.postForm(`/react/${id}`, { reaction, on })

  it('are at most 20 different ones per user, refused with a sentence; each can be removed', async () => {
    const id = await world.ada.send('general', 'all of them')
    const [first, ...others] = REACTION_NAMES.slice(0, 20) as [string, ...string[]]
    for (const name of [first, ...others]) expect((await world.bob.react(id, name)).status).to.equal(200)
    const refused = await world.bob.react(id, 'zzz')
    expect([refused.status, await refused.text()]).to.deep.equal([
      400,
      'a message takes at most 20 different reactions by one person',
    ])
    expect(Object.keys(await reactionsOn(id))).to.have.length(20)
    expect((await world.bob.react(id, first)).status).to.equal(200)
    expect((await world.bob.react(id, 'zzz')).status).to.equal(200)
    expect(Object.keys(await reactionsOn(id))).to.have.members([...others, 'zzz'])
  })

  it('are at most 50 different ones per message; everybody can join an existing one', async () => {
    const id = await world.ada.send('general', 'all of us')
    for (const [i, who] of [world.ada, world.bob, world.cleo].entries()) {
      for (const name of REACTION_NAMES.slice(i * 17, Math.min(50, (i + 1) * 17))) await who.react(id, name)
    }
    expect(Object.keys(await reactionsOn(id))).to.have.length(50)
    const refused = await world.mallory.react(id, 'zzz')
    expect([refused.status, await refused.text()]).to.deep.equal([
      400,
      'a message takes at most 50 different reactions by all people',
    ])
    expect((await world.mallory.react(id, REACTION_NAMES[0]!)).status).to.equal(200)
    await world.ada.react(id, REACTION_NAMES[1]!)
    expect((await world.mallory.react(id, 'zzz')).status).to.equal(200)
  })

  it('are set and removed idempotently by a request with `on`', async () => {
    const id = await world.ada.send('general', 'say it twice')
    for (let i = 0; i < 2; i++) {
      const response = await set(world.bob, id, 'tada', '1')
      expect([response.status, await response.json()]).to.deep.equal([200, { tada: ['bob'] }])
    }
    const changed = (await world.ada.messages('general')).at(-1)!.reactions_ts
    await set(world.bob, id, 'tada', '1')
    expect((await world.ada.messages('general')).at(-1)!.reactions_ts, 'no change').to.equal(changed)
    for (let i = 0; i < 2; i++) expect(await (await set(world.bob, id, 'tada', '0')).json()).to.deep.equal({})
    const wrong = await set(world.bob, id, 'tada', 'yes')
    expect([wrong.status, await wrong.text()]).to.deep.equal([400, 'on must be 1 or 0'])
  })

  it('in two forms of one emoji are one reaction, which either form takes back', async () => {
    const id = await world.ada.send('general', 'one emoji')
    await set(world.ada, id, '❤', '1')
    await set(world.bob, id, '❤️', '1')
    await set(world.cleo, id, '👍', '1')
    await set(world.bob, id, 'thumbsup', '1')
    expect(await reactionsOn(id)).to.deep.equal({ heart: ['ada', 'bob'], thumbsup: ['cleo', 'bob'] })
    await set(world.ada, id, 'heart', '0')
    await set(world.bob, id, '👍', '0')
    expect(await reactionsOn(id)).to.deep.equal({ heart: ['bob'], thumbsup: ['cleo'] })
  })

  it('by one user at two processes at once are consecutive toggles', async () => {
    const id = await world.ada.send('general', 'both at once')
    const twin = Object.assign(Object.create(Object.getPrototypeOf(world.bob)) as Person, world.bob, {
      at: world.ada.at,
    })
    for (let i = 0; i < 5; i++) {
      await Promise.all([world.bob.react(id, 'tada'), twin.react(id, 'tada')])
      expect(await reactionsOn(id)).to.deep.equal({})
    }
  })

  it('to a long message do not rewrite the message', async () => {
    const word = () => Math.random().toString(36).slice(2)
    const text = Array.from({ length: 2_000 }, word).join(' ').slice(0, 10_000)
    const id = await world.ada.send('general', text)
    const written = async () => {
      const { rows } = await db.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')
      const [{ lsn }] = rows as [{ lsn: string }]
      const began = lsn
      await world.bob.react(id, 'tada')
      const after = await db.query<{ bytes: number }>(
        'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::int as bytes',
        [began],
      )
      return after.rows[0]!.bytes
    }
    let least = Number.POSITIVE_INFINITY
    // Other tests write to the same WAL.
    await eventually(async () => {
      least = Math.min(least, await written())
      expect(least, 'bytes of WAL').to.be.lessThan(8 * 1024)
    })
  })
})

describe('concurrent changes of one message', () => {
  let world: World
  let db: pg.Pool
  before(async () => {
    world = await newWorld({ apis: 2 })
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  /** Lets all changes begin before any of them gets the channel's clock. */
  async function meeting(changes: (() => Promise<Response>)[]) {
    const client = await db.connect()
    try {
      await client.query('begin')
      await client.query(`select from channels where id = 'general' for update`)
      const underWay = Promise.all(changes.map(change => change()))
      await eventually(async () => {
        const { rowCount } = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rowCount).to.equal(changes.length)
      })
      await client.query('commit')
      return await underWay
    } finally {
      client.release()
    }
  }

  /** The names in the mention index, and those in the message and the search text. */
  async function kept(id: number) {
    const { rows } = await db.query<{ indexed: string[]; said: string | null; text: string | null }>(
      `select array(select username from message_mentions where message_id = id order by username) as indexed,
              mentions as said,
              (select content from message_texts where message_id = id) as text
         from messages
        where id = $1`,
      [id],
    )
    return rows[0]!
  }

  it('leave the index with the mentions of the final text', async () => {
    for (let i = 0; i < 3; i++) {
      const id = await world.ada.send('general', 'to @cleo')
      const responses = await meeting([
        () => world.ada.edit(id, 'to @bob'),
        () => world.ada.edit(id, 'to @mallory'),
      ])
      expect(responses.map(response => response.status)).to.deep.equal([200, 200])
      const { indexed, said, text } = await kept(id)
      expect(indexed).to.deep.equal(JSON.parse(said!))
      expect(text).to.equal(`to @${indexed[0]}`)
    }
  })

  it('leave nothing of a deleted message', async () => {
    const id = await world.ada.send('general', 'to @cleo')
    const responses = await meeting([
      () => world.ada.delete(id),
      () => world.ada.edit(id, 'to @bob'),
      () => world.bob.react(id, 'tada'),
    ])
    expect(responses[0]!.status).to.equal(200)
    expect(await kept(id)).to.deep.equal({ indexed: [], said: null, text: null })
    const { rowCount } = await db.query('select from reactions where message_id = $1', [id])
    expect(rowCount).to.equal(0)
  })
})
