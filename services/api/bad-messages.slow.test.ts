import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

type Code = 'required' | 'invalid' | 'too_long' | 'bad_request' | 'not_found' | 'too_large'
type Values = readonly (readonly [name: string, value: unknown, codes: readonly Code[]])[]
type Row = readonly [method: string, path: string, valid: () => object, fields: Record<string, Values>]

const LONG = 'x'.repeat(10_000)
const bad = (values: readonly unknown[], ...codes: Code[]): Values =>
  values.map(value => [JSON.stringify(value ?? 'undefined').slice(0, 12), value, codes] as const)

const NOT_TEXT = bad([7, ['x'], { a: 1 }, true], 'required')
const NO_TEXT = bad(['a\0b', '\ud800'], 'invalid')
const MISSING = bad([undefined, null], 'required')
const TEXT = [...MISSING, ...NOT_TEXT, ...NO_TEXT, ...bad([LONG], 'too_long')]
const OPTIONAL_TEXT = [...NOT_TEXT, ...NO_TEXT]
const UUID = bad([7, ['x'], { a: 1 }, true, 'x', LONG, 'a\0b', '\ud800'], 'invalid', 'required')
const NOT_NUMBER = bad(['1', ['x'], { a: 1 }, true, LONG, 'a\0b', '\ud800'], 'required', 'invalid')
const FLAG = bad([0, 'true', [], {}, LONG, 'a\0b', '\ud800'], 'required', 'invalid')
/** Ids in bodies. */
const ID = [...NOT_NUMBER, ...bad([-1, 0.5, 2 ** 63], 'invalid')]
/** Names of channels in bodies: a name that no channel has is refused like a channel of others. */
const CHANNEL = [...MISSING, ...NOT_TEXT, ...bad(['a\0b', '\ud800'], 'invalid')]

/** Every field of every endpoint of messages with a body, by turns missing and of the wrong kind. */
describe('bad fields of messages', function () {
  this.timeout(300_000)
  let world: World
  let db: pg.Client
  let ada: Person
  let id: number
  let root: number
  let scheduled: number
  const now = Date.now() / 1_000
  const soon = now + 3_600
  before(async () => {
    world = await newWorld({ settings: { keep_edits: true, max_message_chars: 9_000 } })
    ada = world.ada
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    id = await world.bob.send('general', 'a message')
    root = await world.bob.send('general', 'a root')
    await world.cleo.send('general', 'a reply', { reply_to_id: String(root) })
    await ada.putJson(`/saved/${id}`, { note: 'stays' })
    await ada.putJson('/drafts/general', { text: 'stays', updated_ts: now - 10 })
    const made = await ada.postJson('/scheduled', { channel: 'general', text: 'later', send_ts: soon })
    scheduled = ((await made.json()) as { id: number }).id
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const ROWS: Row[] = [
    [
      'POST',
      '/forward/ID',
      () => ({ channel: 'general', text: 'look', client_id: randomUUID() }),
      { channel: CHANNEL, text: OPTIONAL_TEXT, client_id: UUID },
    ],
    ['POST', '/thread/ROOT/read', () => ({ upto: root }), { upto: [...ID, ...bad([0], 'invalid')] }],
    [
      'PUT',
      '/saved/ID',
      () => ({ note: 'new', remind_ts: soon }),
      {
        note: [...OPTIONAL_TEXT, ...bad([LONG], 'too_long')],
        remind_ts: [...NOT_NUMBER, ...bad([0, -1, now, now + 6 * 366 * 86_400, 1e300], 'invalid')],
        remind_in_minutes: [...NOT_NUMBER, ...bad([0, -1, 1e300], 'invalid')],
      },
    ],
    [
      'PATCH',
      '/saved/ID',
      () => ({ done: true }),
      {
        done: FLAG,
        note: [...OPTIONAL_TEXT, ...bad([LONG], 'too_long')],
        remind_ts: [...NOT_NUMBER, ...bad([0, -1, now, 1e300], 'invalid')],
      },
    ],
    [
      'POST',
      '/scheduled',
      () => ({ channel: 'general', text: 'later', send_ts: soon, client_id: randomUUID() }),
      {
        channel: CHANNEL,
        text: TEXT,
        send_ts: [
          ...bad([undefined, null], 'required'),
          ...NOT_NUMBER,
          ...bad([0, -1, now, now + 2 * 366 * 86_400, 1e300], 'invalid'),
        ],
        reply_to_id: [...ID, ...bad([0], 'invalid')],
        composed_for: OPTIONAL_TEXT,
        client_id: UUID,
      },
    ],
    [
      'PATCH',
      '/scheduled/SCHEDULED',
      () => ({ text: 'changed' }),
      {
        text: [...bad([null], 'required'), ...NOT_TEXT, ...NO_TEXT, ...bad([LONG], 'too_long')],
        send_ts: [...bad([null], 'required'), ...NOT_NUMBER, ...bad([0, -1, now, 1e300], 'invalid')],
        now: FLAG,
      },
    ],
    [
      'PUT',
      '/drafts/general',
      () => ({ text: 'newer', updated_ts: now, thread_id: 0 }),
      {
        text: TEXT,
        thread_id: [...ID, ...bad([4_711], 'not_found')],
        updated_ts: [...MISSING, ...NOT_NUMBER, ...bad([-1], 'invalid')],
      },
    ],
    [
      'PUT',
      `/uploads/${randomUUID()}`,
      () => ({ name: 'a.bin', size: 4 }),
      {
        name: [...MISSING, ...NOT_TEXT, ...NO_TEXT, ...bad(['', ' '], 'required', 'invalid')],
        size: [
          ...MISSING,
          ...NOT_NUMBER,
          ...bad([-1, 0.5, 2 ** 63], 'invalid'),
          ...bad([2 ** 50], 'too_large'),
        ],
      },
    ],
  ]

  const placed = (path: string) =>
    path.replace('ID', String(id)).replace('ROOT', String(root)).replace('SCHEDULED', String(scheduled))

  /** Every table but those of sessions and of what happened when. */
  async function everything() {
    const { rows } = await db.query<{ name: string }>(
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const found: Record<string, unknown[]> = {}
    for (const { name } of rows) {
      const stored = await db.query(
        `select (to_jsonb(t) - 'seen_ts' - 'online_ts' - 'beat_ts')::text as row from "${name}" t order by 1`,
      )
      found[name] = stored.rows.map(({ row }) => row)
    }
    return found
  }

  function expectSame(after: Record<string, unknown[]>, before: Record<string, unknown[]>) {
    for (const name of Object.keys(before)) expect(after[name], name).to.deep.equal(before[name])
  }

  /** The sentence and the code of a refusal. */
  async function refused(response: Response, about: string, codes: readonly string[]) {
    const text = await response.text()
    expect(response.status, `${about}: ${text.slice(0, 200)}`).to.be.within(400, 499)
    const { error, code } = JSON.parse(text) as { error: string; code: string }
    expect(error, about).to.be.a('string').that.matches(/\w/)
    expect(code, `${about}: ${error}`).to.be.oneOf([...codes])
    if (codes[0] !== 'not_found' && codes[0] !== 'too_large') expect(response.status, about).to.equal(400)
  }

  it('are refused with their status and code, and change nothing', async () => {
    const before = await everything()
    for (const [method, path, valid, fields] of ROWS) {
      for (const [field, values] of Object.entries(fields)) {
        for (const [name, value, codes] of values) {
          const body: Record<string, unknown> = { ...valid(), [field]: value }
          if (field === 'remind_in_minutes') delete body['remind_ts']
          const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
          await refused(await ada.fetch(placed(path), init), `${method} ${path} ${field} ${name}`, codes)
        }
      }
    }
    expectSame(await everything(), before)
  })

  it('are refused although all other fields of the request are good, as these are alone', async () => {
    for (const [method, path, valid] of ROWS) {
      const init = {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(valid()),
      }
      const response = await ada.fetch(placed(path), init)
      expect(response.status, `${method} ${path} ${await response.text()}`).to.be.within(200, 204)
    }
  })

  it('of emoji are refused, and change nothing', async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const before = await everything()
    const add = (name: unknown, image: Uint8Array | string | undefined) => {
      const body = new FormData()
      if (name !== undefined) body.set('name', String(name))
      if (typeof image === 'string') body.set('image', image)
      else if (image) body.set('image', new File([new Uint8Array(image)], 'a.png'))
      return ada.fetch('/emoji', { method: 'POST', body })
    }
    for (const name of [undefined, '', '1', 'a b', 'Ä', 'x'.repeat(33), LONG, 'a\0b', '\ud800', '../a'])
      await refused(await add(name, bytes), `name ${String(name).slice(0, 9)}`, [
        'required',
        'invalid',
        'too_long',
      ])
    for (const image of [undefined, 'text', Buffer.from('no picture'), Buffer.alloc(0)])
      await refused(await add('fine-name', image), `image ${String(image).slice(0, 9)}`, [
        'required',
        'invalid',
        'bad_request',
      ])
    await refused(await add('fine-name', Buffer.alloc(600 * 1_024)), 'large image', ['too_large'])
    expectSame(await everything(), before)
  })

  it('in place of ids are refused, and change nothing', async () => {
    const before = await everything()
    const ids = [
      '0',
      '-1',
      '9223372036854775808',
      '99999999999999999999',
      'x',
      '1.5',
      '1e3',
      '%00',
      '%ED%A0%80',
    ]
    const endpoints = [
      ...['GET /message/:x/edits', 'POST /forward/:x', 'GET /thread/:x', 'PUT /thread/:x/follow'],
      ...['DELETE /thread/:x/follow', 'POST /thread/:x/read', 'PUT /pin/:x', 'DELETE /pin/:x'],
      ...['PUT /saved/:x', 'PATCH /saved/:x', 'DELETE /saved/:x', 'PATCH /scheduled/:x'],
      ...['DELETE /scheduled/:x', 'PATCH /uploads/:x', 'DELETE /uploads/:x', 'DELETE /emoji/:x'],
      ...['GET /pins/:x', 'GET /channel_files/:x', 'GET /channel_days/:x?month=2026-03', 'PUT /drafts/:x'],
    ]
    const BODY = { channel: 'general', done: true, text: 'x', updated_ts: now }
    for (const endpoint of endpoints) {
      const [method, path] = endpoint.split(' ') as [string, string]
      for (const one of ids) {
        const init: RequestInit = { method }
        if (method !== 'GET') {
          init.headers = { 'Content-Type': 'application/json', 'Upload-Offset': '0' }
          init.body = JSON.stringify(BODY)
        }
        const response = await ada.fetch(path.replace(':x', one), init)
        const text = await response.text()
        expect(response.status, `${endpoint} ${one}: ${text}`).to.be.oneOf([400, 404])
        // An address that cannot be decoded reaches no route.
        if (text !== 'bad request') expect(JSON.parse(text), `${endpoint} ${one}`).to.have.property('code')
      }
    }
    expectSame(await everything(), before)
  })
})
