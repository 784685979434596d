import { expect } from 'chai'
import pg from 'pg'
import type { Db, PreparedStatement } from '#shared/stores/postgres.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { insertMessages, type Post } from './insert-messages.ts'

const TYPES = 'text, bigint, text, text[], text[], bigint, text, text[], uuid, text[], bigint, text, boolean'
const VALUES = `'general', 1, 'ada', '{a}', '{null}', 1, null, '{}', null, '{null}', null, '/send', false`

const CASES: [kind: string, post: Partial<Post>][] = [
  ['a configured channel', { isConfigured: true }],
  ['a public channel made here', { isConfigured: false }],
  ['a configured channel by a guest', { isConfigured: true, isGuest: true }],
  ['a public channel made here by a guest', { isConfigured: false, isGuest: true }],
  ['a private channel', { memberOf: 1 }],
]

describe('prepared statements of sends', function () {
  this.timeout(30_000)
  let backing: TestBacking
  let client: pg.Client

  before(async () => {
    backing = await testBacking()
    client = new pg.Client(backing.env.DATABASE_URL)
    await client.connect()
    await client.query('set plan_cache_mode = force_generic_plan')
  })
  after(async () => {
    await client.end()
    await backing.drop()
  })

  for (const [kind, post] of CASES)
    it(`to ${kind} look rows up by their unique keys when planned on empty tables`, async () => {
      const { name, text } = await statementOf(post)
      const isPrivate = post.memberOf !== undefined
      await client.query(`prepare "${name}" (${TYPES}${isPrivate ? ', bigint' : ''}) as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain execute "${name}" (${VALUES}${isPrivate ? ', 1' : ''})`,
      )
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      expect(plan).to.include('using messages_pkey on messages parent').and.include('using users_pkey')
      expect(plan).not.to.match(/users_state|messages_ts|channel_properties_kind|Seq Scan/)
    })
})

/** The statement that such a send executes. */
async function statementOf(post: Partial<Post>): Promise<PreparedStatement> {
  let executed: string | PreparedStatement = ''
  const db = {
    query: async (statement: string | PreparedStatement) => {
      executed = statement
      return { rows: [] }
    },
  }
  await insertMessages(db as unknown as Db, {
    channel: 'general',
    sender: 'ada',
    rows: [{ content: 'a', filename: null }],
    mentions: null,
    replyTo: undefined,
    memberOf: undefined,
    isConfigured: undefined,
    posting: 'everyone',
    clientId: undefined,
    participants: [],
    ...post,
  })
  if (typeof executed === 'string') throw new Error('not a prepared statement')
  return executed
}
