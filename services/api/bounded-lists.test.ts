import { expect } from 'chai'
import pg from 'pg'
import type { LinkedMessagesPayload } from '#shared/domain/payloads/messages.ts'
import { PAGE_BYTES } from '#shared/stores/first-that-fit.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Characters of three bytes: the longest message by default. */
const LONG = '語'.repeat(10_000)
const BYTES = 3 * 10_000
/** Items of each list: several pages. */
const MANY = 30
/** The most of each. */
const HOOKS_IN = 500
const HOOKS_OUT = 200
/** A page counts the bytes of its texts; its JSON has some more. A thread has two texts. */
const MOST = PAGE_BYTES + 2 * BYTES

type Item = Record<string, unknown>

describe('lists of long texts', () => {
  let world: World
  let db: pg.Pool
  let roots: number[]
  let replies: number[]
  let root: number
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], keep_edits: true } })
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    const { ada, bob } = world
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    root = await ada.send('general', LONG)
    roots = []
    replies = []
    for (let i = 0; i < MANY; i++) {
      const id = await ada.send('general', LONG)
      roots.push(id)
      await bob.send('general', LONG, { reply_to_id: String(id) })
      replies.push(await bob.send('general', LONG, { reply_to_id: String(root) }))
      expect((await ada.putJson(`/saved/${id}`, {})).status).to.equal(204)
      expect((await ada.putJson(`/pin/${id}`, {})).status).to.equal(204)
      const draft = { text: LONG, thread_id: id, updated_ts: 1_000 + i }
      expect((await ada.putJson('/drafts/general', draft)).status).to.equal(204)
      const later = { channel: 'general', text: LONG, send_ts: Date.now() / 1_000 + 3_600 }
      expect((await ada.postJson('/scheduled', later)).status).to.equal(201)
    }
    await db.query(
      `insert into message_edits (message_id, ts, content) select $1, 1000 + i, $2 from generate_series(1, $3) i`,
      [root, LONG, MANY],
    )
    await db.query(
      `insert into invites (code, role, note, created_by, created_ts)
       select 'code' || i, 'member', $1, 'ada', extract(epoch from now()) from generate_series(1, $2) i`,
      [LONG, MANY],
    )
    await db.query(
      `insert into api_tokens (hash, username, name, scopes, channels_only, created_by, created_ts)
       select sha256(i::text::bytea), 'ada', 'x', '{read}', array[$1], 'ada', 0 from generate_series(1, $2) i`,
      [LONG, MANY],
    )
    await db.query(
      `insert into audit_log (actor, actor_kind, action, detail)
       select 'ada', 'person', 'long', jsonb_build_object('text', $1::text) from generate_series(1, $2) i`,
      [LONG, MANY],
    )
    await db.query(
      `insert into users (username, password_hash, created_ts, kind, bot_owner) values ('robot', 'none', 0, 'bot', 'ada')`,
    )
    await db.query(
      `insert into hooks_in (token_hash, name, bot, channel, template, created_by, created_ts)
       select sha256(i::text::bytea), repeat('語', 80), 'robot', 'general', repeat('語', 2000), 'ada', 0
         from generate_series(1, $1::integer) i`,
      [HOOKS_IN],
    )
    await db.query(
      `insert into hooks_out (name, url, format, secret_enc, verify_token_enc, bot, events, channels, triggers,
                              created_by, created_ts)
       select repeat('語', 80), 'https://a.example/' || repeat('x', 2030), 'standard', '', '', 'robot',
              '{message.created}', array[repeat('c', 2048)], array[repeat('語', 341)], 'ada', 0
         from generate_series(1, $1::integer)`,
      [HOOKS_OUT],
    )
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  /** The items of all pages, with the address of each page after the first. */
  const walk = async (path: string) => {
    const found: Item[][] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const response: Response = await world.ada.fetch(next)
      const text = await response.text()
      expect(response.status, next).to.equal(200)
      expect(Buffer.byteLength(text), next).to.be.below(MOST)
      const page = JSON.parse(text) as Item[] | { items: Item[]; next: string | null }
      const cursor = Array.isArray(page) ? response.headers.get('X-Next-Cursor') : page.next
      found.push(Array.isArray(page) ? page : page.items)
      const joined = path.includes('?') ? '&' : '?'
      next = cursor === null ? undefined : `${path}${joined}cursor=${encodeURIComponent(cursor)}`
    }
    expect(found.length, path).to.be.above(2)
    expect(found.length, path).to.be.below(20)
    return found
  }

  const idOf = ({ id }: Item) => id as number

  for (const [title, path, idIn, expected] of [
    ['saved messages', () => '/saved', item => idOf(item['message'] as Item), () => roots.toReversed()],
    ['pinned messages', () => '/pins/general?limit=200', idOf, () => roots.toReversed()],
    ['drafts', () => '/drafts', item => item['thread_id'], () => roots.toReversed()],
    ['threads', () => '/threads', idOf, () => [root, ...roots.toReversed()]],
    ['scheduled sends', () => '/scheduled?limit=200', idOf, () => range(1, MANY)],
    ['tokens', () => '/admin/tokens?limit=200', idOf, () => range(1, MANY).toReversed()],
    ['incoming hooks', () => '/hooks_in', idOf, () => range(1, HOOKS_IN).toReversed()],
    [
      'incoming hooks of a channel',
      () => '/hooks_in?channel=general',
      idOf,
      () => range(1, HOOKS_IN).toReversed(),
    ],
    ['outgoing hooks', () => '/hooks_out', idOf, () => range(1, HOOKS_OUT).toReversed()],
    ['invitations', () => '/invites?limit=200', idOf, () => range(1, MANY).toReversed()],
  ] as [string, () => string, (item: Item) => unknown, () => number[]][])
    it(`have ${title} in pages of bounded bytes, each once and in order`, async () => {
      const pages = await walk(path())
      expect(pages.flat().map(idIn)).to.deep.equal(expected())
    })

  it('have entries of the audit log, also as CSV', async () => {
    const pages = await walk('/admin/audit?action=long&limit=200')
    expect(new Set(pages.flat().map(idOf)).size).to.equal(MANY)
    const csv = await (await world.ada.fetch('/admin/audit.csv?action=long')).text()
    expect(csv.trim().split('\r\n')).to.have.length(MANY + 1)
  })

  it('have the versions of a text, the newest first and each page oldest first', async () => {
    const pages = await walk(`/message/${root}/edits`)
    const versions = pages.toReversed().flat()
    expect(versions.map(({ ts }) => ts).slice(0, -1)).to.deep.equal(range(1_001, MANY))
    expect(versions.every(({ content }) => content === LONG)).to.equal(true)
  })

  it('have the rows of a thread, the newest first', async () => {
    const found: number[] = []
    for (let before: number | undefined, more = true; more; before = found[0]) {
      const path = `/thread/${root}?limit=200${before === undefined ? '' : `&before=${before}`}`
      const text = await (await world.ada.fetch(path)).text()
      expect(Buffer.byteLength(text)).to.be.below(MOST)
      const page = JSON.parse(text) as { rows: { id: number }[]; more: boolean; root: { id: number } }
      expect(page.root.id).to.equal(root)
      found.unshift(...page.rows.map(row => row.id))
      more = page.more
    }
    expect(found).to.deep.equal(replies)
  })

  it('have linked messages; those beyond the bound are named', async () => {
    const { ada, bob } = world
    const den = await world.privateChannel('den', [bob])
    const hidden = await bob.send(den, LONG)
    const found: number[] = []
    const unreadable: number[] = []
    let asked: number[] = [hidden, ...roots]
    let requests = 0
    while (asked.length > 0) {
      requests++
      const text = await (await ada.fetch(`/linked_messages?ids=${asked}`)).text()
      expect(Buffer.byteLength(text)).to.be.below(MOST)
      const page = JSON.parse(text) as LinkedMessagesPayload
      found.push(...page.items.map(({ message }) => message.id))
      unreadable.push(...page.unreadable)
      asked = page.left ?? []
    }
    expect([requests > 2, found, unreadable]).to.deep.equal([true, roots, [hidden]])
    const short = await ada.get<LinkedMessagesPayload>(`/linked_messages?ids=${roots[0]}`)
    expect(short).not.to.have.property('left')
  })
})

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
