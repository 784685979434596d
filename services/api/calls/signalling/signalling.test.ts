import { expect } from 'chai'
import pg from 'pg'
import type {
  MediaPayload,
  NewCallPayload,
  ShareMediaPayload,
  SignalPayload,
} from '#shared/domain/payloads/calls.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const KIB = 1024
const MIB = 1024 * KIB

describe('signalling (interface 2.8, 3.1, 3.2, 4.8, 4.9, 4.10)', () => {
  let world: World
  let db: pg.Pool
  let ada: Person
  let bob: Person
  let cleo: Person
  let mallory: Person
  let call: string
  before(async () => {
    world = await newWorld({ apis: 2 })
    ;({ ada, bob, cleo, mallory } = world)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  beforeEach(async () => {
    call = await initiate('dm:ada:bob:cleo')
  })
  afterEach(async () => {
    await db.query('delete from calls')
    await db.query('delete from signals')
    await db.query('delete from media_chunks')
  })

  async function initiate(channel: string) {
    const response = await ada.postJson('/calls/initiate', { channel })
    return ((await response.json()) as NewCallPayload).call_id
  }
  const act = (person: Person, verb: string, body: unknown = {}) =>
    person.postJson(`/calls/${call}/${verb}`, body)
  async function told(response: Response | Promise<Response>) {
    const answer = await response
    const body = (await answer.json()) as { status?: string; error?: string }
    return `${answer.status} ${body.status ?? body.error}`
  }
  const signal = (from: Person, to: string, payload: unknown = {}, type: unknown = 'offer') =>
    told(act(from, 'signal', { to, type, payload }))
  const inbox = (person: Person, after?: number | string) =>
    person.get<SignalPayload[]>(`/calls/${call}/signals${after === undefined ? '' : `?after=${after}`}`)
  async function everythingIn(person: Person) {
    const read: SignalPayload[] = []
    for (;;) {
      const part = await inbox(person, read.at(-1)?.id)
      if (part.length === 0) return read
      read.push(...part)
    }
  }
  const rowsLeft = async (table: 'signals' | 'media_chunks') =>
    (await db.query(`select from ${table} where session_id = $1`, [call])).rowCount

  describe('signals of a call', () => {
    it('reach only the recipient, unchanged, in the order in which they were sent', async () => {
      const sdp = {
        type: 'offer',
        sdp: 'v=0\r\n\u0000 “ß” \ud800',
        nested: { list: [1, null, 0.1] },
        ['__proto__']: 1,
      }
      expect(await signal(ada, 'bob', sdp)).to.equal('200 ok')
      expect(await signal(ada, 'bob', { candidate: 'c', sdpMLineIndex: 0 }, 'ice_candidate')).to.equal(
        '200 ok',
      )
      expect(await signal(cleo, 'bob', { type: 'answer' }, 'answer'), 'asked, not yet in').to.equal('200 ok')

      const signals = await inbox(bob)
      expect(signals.map(({ from, type }) => [from, type])).to.deep.equal([
        ['ada', 'offer'],
        ['ada', 'ice_candidate'],
        ['cleo', 'answer'],
      ])
      expect(JSON.stringify(signals[0]!.payload)).to.equal(JSON.stringify(sdp))
      expect(Object.keys(signals[0]!)).to.have.members(['id', 'from', 'type', 'payload', 'ts'])
      expect(signals[0]!.ts).to.be.closeTo(Date.now() / 1000, 5)
      expect(signals[0]!.id).to.be.lessThan(signals[1]!.id)
      expect(await inbox(ada)).to.deep.equal([])
      expect(await inbox(cleo)).to.deep.equal([])
    })

    it('are read with a cursor, and stay for a second tab and a reload', async () => {
      for (let i = 0; i < 3; i++) await signal(ada, 'bob', { i })
      const [first, second, third] = await inbox(bob)
      for (const after of ['0', '', 'x', '-1', '1.5']) {
        expect(await inbox(bob, after), after).to.have.length(3)
      }
      expect(await inbox(bob, first!.id)).to.deep.equal([second, third])
      expect(await inbox(bob, third!.id)).to.deep.equal([])
      expect(await inbox(bob, 0), 'from the start').to.deep.equal([first, second, third])
      expect(await inbox(bob), 'without a cursor').to.deep.equal([first, second, third])
    })

    it('pass between users in the call or invited to it', async () => {
      await act(cleo, 'reject')
      expect(await signal(ada, 'cleo')).to.equal('403 access denied')
      expect(await signal(cleo, 'ada')).to.equal('403 access denied')
      expect(await signal(ada, 'mallory')).to.equal('403 access denied')
      expect(await signal(ada, 'ada')).to.equal('403 access denied')
      expect(await signal(mallory, 'ada')).to.equal('403 access denied')
      expect(await told(mallory.fetch(`/calls/${call}/signals`))).to.equal('403 access denied')
      expect(await rowsLeft('signals')).to.equal(0)
    })

    it('carry the session’s user as sender, whatever the body says', async () => {
      await act(bob, 'signal', { to: 'ada', type: 'offer', payload: {}, from: 'cleo', sender: 'cleo' })
      expect((await inbox(ada)).map(({ from }) => from)).to.deep.equal(['bob'])
    })

    it('are refused when a field is missing or invalid, too deep or too large', async () => {
      expect(await told(act(ada, 'signal', {}))).to.equal('400 to required')
      expect(await told(act(ada, 'signal', { to: ['bob'], type: 'offer', payload: {} }))).to.equal(
        '400 to required',
      )
      expect(await signal(ada, 'b\0b')).to.equal('400 to required')
      for (const type of ['hangup', null, 7, 'toString']) {
        expect(await signal(ada, 'bob', {}, type)).to.equal('400 type must be offer, answer or ice_candidate')
      }
      for (const payload of [null, 'sdp', 7, [], undefined]) {
        expect(await told(act(ada, 'signal', { to: 'bob', type: 'offer', payload }))).to.equal(
          '400 payload required',
        )
      }
      const deep = `{"to":"bob","type":"offer","payload":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`
      expect(await told(act(ada, 'signal', deep))).to.equal('400 payload nested too deeply')
      expect(await told(act(ada, 'signal', '{"to":'))).to.equal('400 bad request')
      expect(await signal(ada, 'bob', { sdp: 'x'.repeat(300 * KIB) })).to.equal('413 request too large')
      expect(await signal(ada, 'bob', { sdp: 'ß'.repeat(33 * KIB) })).to.equal(
        '413 payload too large (max 64 KiB)',
      )
      expect(await signal(ada, 'bob', { sdp: 'x'.repeat(63 * KIB) })).to.equal('200 ok')
    })

    it('are removed when the call ends, and a leaver’s when they leave', async () => {
      await act(bob, 'accept')
      await act(cleo, 'accept')
      await signal(ada, 'bob')
      await signal(cleo, 'bob')
      await signal(bob, 'cleo')
      await act(cleo, 'leave')
      expect((await inbox(bob)).map(({ from }) => from)).to.deep.equal(['ada'])
      await act(ada, 'end')
      expect(await inbox(bob)).to.deep.equal([])
      expect(await inbox(ada), 'no fault for whoever ended it').to.deep.equal([])
      expect(await rowsLeft('signals')).to.equal(0)
      expect(await signal(bob, 'ada')).to.equal('409 call is not active')
    })

    it('are removed when the ring expires or is rejected', async () => {
      await signal(ada, 'bob')
      await db.query('update calls set started_ts = started_ts - 31 where call_id = $1', [call])
      await ada.get(`/calls/${call}/state`)
      expect(await rowsLeft('signals')).to.equal(0)
      call = await initiate('dm:ada:bob')
      await signal(ada, 'bob')
      await act(bob, 'reject')
      expect(await rowsLeft('signals')).to.equal(0)
    })

    it('expire after five minutes', async () => {
      await signal(ada, 'bob', { i: 1 })
      await db.query('update signals set ts = ts - 301')
      await signal(ada, 'bob', { i: 2 })
      expect((await inbox(bob)).map(({ payload }) => payload)).to.deep.equal([{ i: 2 }])
    })

    it('are stored up to three hundred per sender and recipient; the oldest are deleted', async () => {
      await db.query(
        `insert into signals (session_id, sender, recipient, type, payload, ts)
         select $1, 'ada', 'bob', 'offer', json_build_object('i', i), extract(epoch from clock_timestamp())
           from generate_series(1, 300) i`,
        [call],
      )
      expect(await signal(ada, 'bob', { i: 301 })).to.equal('200 ok')
      expect(await signal(ada, 'cleo'), 'another recipient').to.equal('200 ok')
      expect(await signal(cleo, 'bob'), 'another sender').to.equal('200 ok')

      const read = await everythingIn(bob)
      expect(read.map(({ payload }) => payload['i'])).to.deep.equal([
        ...Array.from({ length: 300 }, (_, i) => i + 2),
        undefined,
      ])
      expect(await rowsLeft('signals')).to.equal(302)
    })

    it('are stored up to one MiB per sender and recipient, and read by as much', async function () {
      this.timeout(30_000)
      const large = 'x'.repeat(60 * KIB)
      for (let i = 0; i < 20; i++) expect(await signal(ada, 'bob', { i, large })).to.equal('200 ok')
      for (let i = 20; i < 24; i++) expect(await signal(cleo, 'bob', { i, large })).to.equal('200 ok')
      const first = await inbox(bob)
      expect(first, '1 MiB').to.have.length(17)
      const read = await everythingIn(bob)
      expect(read.map(({ payload }) => payload['i'])).to.deep.equal(
        Array.from({ length: 21 }, (_, i) => i + 3),
      )
    })

    it('are accepted from fourteen users who join together and from ninety viewers of one share', async () => {
      const names = Array.from({ length: 14 }, (_, i) => `m${i}`)
      await db.query(
        `insert into signals (session_id, sender, recipient, type, payload, ts)
         select $1, sender, recipient, 'ice_candidate', '{}', extract(epoch from clock_timestamp())
           from unnest($2::text[]) sender cross join unnest($2::text[]) recipient cross join generate_series(1, 11)
          where sender <> recipient`,
        [call, names],
      )
      expect(await signal(ada, 'bob')).to.equal('200 ok')
      const { share_id } = (await (
        await ada.postJson('/screenshare/start', { channel: 'dm:ada:bob:cleo' })
      ).json()) as { share_id: string }
      await db.query(
        `insert into signals (session_id, sender, recipient, type, payload, ts)
         select $1, case direction when 0 then 'ada' else 'v' || viewer end,
                case direction when 0 then 'v' || viewer else 'ada' end,
                'ice_candidate', '{}', extract(epoch from clock_timestamp())
           from generate_series(1, 90) viewer cross join generate_series(0, 1) direction cross join generate_series(1, 11)`,
        [share_id],
      )
      const offer = { to: 'ada', type: 'offer', payload: {} }
      expect((await bob.postJson(`/screenshare/${share_id}/signal`, offer)).status).to.equal(200)
      await ada.postJson(`/screenshare/${share_id}/stop`, {})
    })

    it('do not wait for another signal of the call in an open transaction', async () => {
      const other = await db.connect()
      try {
        await other.query('begin')
        await other.query('select from calls where call_id = $1 for share', [call])
        expect(await signal(ada, 'bob')).to.equal('200 ok')
      } finally {
        await other.query('rollback')
        other.release()
      }
    })

    it('are all read by cursor while several users send on two processes', async function () {
      this.timeout(30_000)
      const COUNT = 60
      let sending = true
      const senders = [ada, cleo].flatMap((sender, who) =>
        [0, 1].map(async lane => {
          const there = Object.assign(Object.create(sender), {
            at: world.api[(who + lane) % 2]!.url,
          }) as Person
          for (let i = 0; i < COUNT; i++) {
            expect(await signal(there, 'bob', { name: `${sender.name} ${lane} ${i}` })).to.equal('200 ok')
          }
        }),
      )
      const seen: string[] = []
      const reading = (async () => {
        for (let last = 0, isLast = false; ; ) {
          isLast = !sending
          const part = await inbox(bob, last)
          for (const { id, payload } of part) {
            expect(id).to.be.greaterThan(last)
            last = id
            seen.push(payload['name'] as string)
          }
          if (isLast && part.length === 0) return
        }
      })()
      await Promise.all(senders)
      sending = false
      await reading
      expect(new Set(seen).size).to.equal(4 * COUNT)
      expect(seen).to.have.length(4 * COUNT)
    })

    it('sent while the call ends leave nothing behind', async function () {
      this.timeout(60_000)
      for (let round = 0; round < 25; round++) {
        const answers = Promise.all(Array.from({ length: 4 }, () => signal(bob, 'ada')))
        await act(ada, 'end')
        for (const answer of await answers) expect(answer).to.be.oneOf(['200 ok', '409 call is not active'])
        expect(await rowsLeft('signals')).to.equal(0)
        call = await initiate('dm:ada:bob')
      }
    })
  })

  describe('the legacy media relay', () => {
    const post = (person: Person, path: string, data: Uint8Array | string, headers = {}) =>
      person.fetch(path, {
        method: 'POST',
        body: typeof data === 'string' ? data : new Uint8Array(data),
        headers: { 'Content-Type': 'application/octet-stream', ...headers },
      })
    const send = async (person: Person, data: Uint8Array | string, query = '') => {
      const response = await post(person, `/calls/${call}/media${query}`, data)
      expect(response.status, await response.clone().text()).to.equal(200)
      const { status, seq } = (await response.json()) as { status: string; seq: number }
      expect(status).to.equal('ok')
      return seq
    }
    const read = (person: Person, sender = 'ada', after?: number | string) =>
      person.get<MediaPayload>(
        `/calls/${call}/media?sender=${sender}${after === undefined ? '' : `&after=${after}`}`,
      )
    const base64 = (text: string) => Buffer.from(text).toString('base64')

    it('forwards an init segment and its chunks in order', async () => {
      expect(await read(bob)).to.deep.equal({ mime_type: null, init: null, chunks: [] })
      expect(await send(ada, 'head', '?init=1&mime=video/webm;codecs="vp8,%20opus"')).to.equal(-1)
      const seqs = [await send(ada, 'one'), await send(ada, 'two')]
      expect(await read(bob)).to.deep.equal({
        mime_type: 'video/webm;codecs="vp8, opus"',
        init: base64('head'),
        chunks: [
          { seq: seqs[0], data: base64('one') },
          { seq: seqs[1], data: base64('two') },
        ],
      })
      expect((await read(bob, 'ada', -1)).chunks).to.have.length(2)
      const later = await read(cleo, 'ada', seqs[0])
      expect(later.init, 'always').to.equal(base64('head'))
      expect(later.chunks).to.deep.equal([{ seq: seqs[1], data: base64('two') }])
      expect((await read(bob, 'cleo')).chunks).to.deep.equal([])
    })

    it('takes init and mime from headers too; the latest init segment counts', async () => {
      await send(ada, 'old', '?init=1&mime=video/webm')
      const response = await post(ada, `/calls/${call}/media`, 'new', {
        'X-Init': '1',
        'X-Mime': 'audio/ogg',
      })
      expect(await response.json()).to.deep.equal({ status: 'ok', seq: -1 })
      expect(await read(bob)).to.deep.include({ mime_type: 'audio/ogg', init: base64('new') })
      const { rowCount } = await db.query('select from media_chunks where is_init')
      expect(rowCount).to.equal(1)
    })

    it('returns at most thirty chunks per read, and continues after them', async () => {
      const seqs: number[] = []
      for (let i = 0; i < 35; i++) seqs.push(await send(ada, `chunk ${i}`))
      const first = await read(bob)
      expect(first.chunks.map(({ seq }) => seq)).to.deep.equal(seqs.slice(0, 30))
      const rest = await read(bob, 'ada', first.chunks.at(-1)!.seq)
      expect(rest.chunks.map(({ seq }) => seq)).to.deep.equal(seqs.slice(30))
    })

    it('keeps two hundred chunks or sixteen MiB per sender, drops the oldest, and keeps the init segment', async function () {
      this.timeout(30_000)
      await send(ada, 'head', '?init=1&mime=video/webm')
      await db.query(
        `insert into media_chunks (session_id, sender, data, ts)
         select $1, 'ada', 'x', extract(epoch from clock_timestamp()) from generate_series(1, 250)`,
        [call],
      )
      await send(bob, 'his')
      const last = await send(ada, 'last')
      const kept = async () => {
        const { rows } = await db.query<{ count: number; newest: number; bytes: number }>(
          `select count(*)::integer as count, max(seq)::integer as newest, sum(octet_length(data))::integer as bytes
             from media_chunks where session_id = $1 and sender = 'ada' and not is_init`,
          [call],
        )
        return rows[0]!
      }
      expect(await kept()).to.deep.include({ count: 200, newest: last })
      expect((await read(ada, 'bob')).chunks).to.have.length(1)

      const large = new Uint8Array(MIB)
      for (let i = 0; i < 18; i++) await send(ada, large)
      expect(await kept()).to.deep.include({ count: 16, bytes: 16 * MIB })
      const part = await read(bob)
      expect(part.init).to.equal(base64('head'))
      expect(part.chunks.length, 'no answer is as large as that').to.be.within(1, 8)
    })

    it('refuses a chunk that is too large, empty or malformed, with a JSON error', async () => {
      const path = `/calls/${call}/media`
      expect(await told(post(ada, path, new Uint8Array(MIB + 1)))).to.equal('413 chunk too large (max 1 MiB)')
      expect(await told(post(ada, path, new Uint8Array(20 * MIB)))).to.equal(
        '413 chunk too large (max 1 MiB)',
      )
      expect(await told(post(ada, path, ''))).to.equal('400 chunk required')
      expect(await told(post(ada, `${path}?init=1`, 'x'))).to.equal('400 mime required')
      for (const mime of ['nonsense', 'text/html%0d%0aX: y', '<b>/x', `video/${'x'.repeat(100)}`, 'a/b;c']) {
        expect(await told(post(ada, `${path}?init=1&mime=${mime}`, 'x')), mime).to.equal(
          '400 mime is not a media type',
        )
      }
      expect(await told(ada.fetch(path))).to.equal('400 sender required')
      expect(await rowsLeft('media_chunks')).to.equal(0)
    })

    it('is for participants while the call is living', async () => {
      const path = `/calls/${call}/media`
      await act(bob, 'accept')
      await act(cleo, 'reject')
      await send(bob, 'x')
      for (const outsider of [cleo, mallory]) {
        expect(await told(post(outsider, path, 'x'))).to.equal('403 access denied')
        expect(await told(outsider.fetch(`${path}?sender=bob`))).to.equal('403 access denied')
      }
      await act(ada, 'end')
      expect(await told(post(bob, path, 'x'))).to.equal('409 call is not active')
      expect(await read(bob, 'bob')).to.deep.equal({ mime_type: null, init: null, chunks: [] })
      expect(await rowsLeft('media_chunks')).to.equal(0)
    })

    it('of a share is written by the sharer and read by readers of the channel, until it stops', async () => {
      const started = await ada.postJson('/screenshare/start', { channel: 'dm:ada:bob' })
      const path = `/screenshare/${((await started.json()) as { share_id: string }).share_id}/media`
      const readShare = (after = '') => bob.get<ShareMediaPayload>(path + after)
      expect(await readShare()).to.deep.equal({ mime_type: null, init: null, chunks: [], active: true })

      const head = await post(ada, path, 'head', { 'X-Init': '1', 'X-Mime': 'video/webm' })
      expect(await head.json()).to.deep.equal({ status: 'ok', seq: -1 })
      const again = await post(ada, `${path}?init=1&mime=video/mp4`, 'again')
      expect(await again.json()).to.deep.equal({ status: 'ok', seq: -1 })
      const { seq } = (await (await post(ada, path, 'one')).json()) as { seq: number }
      expect(await readShare()).to.deep.equal({
        mime_type: 'video/mp4',
        init: base64('again'),
        chunks: [{ seq, data: base64('one') }],
        active: true,
      })
      expect((await readShare(`?after=${seq}`)).chunks).to.deep.equal([])

      expect(await told(post(bob, path, 'x'))).to.equal('403 access denied')
      expect(await told(post(cleo, path, 'x'))).to.equal('403 access denied')
      expect(await told(cleo.fetch(path))).to.equal('403 access denied')
      expect(await told(cleo.fetch('/screenshare/x/media'))).to.equal('404 share not found')

      await ada.fetch(path.replace('media', 'stop'), { method: 'POST' })
      expect(await readShare()).to.deep.equal({ mime_type: null, init: null, chunks: [], active: false })
      expect(await told(post(ada, path, 'x'))).to.equal('409 share is not active')
    })

    it('receives nothing after the end of the call, not even from a concurrent send', async function () {
      this.timeout(60_000)
      for (let round = 0; round < 25; round++) {
        const answers = Promise.all(
          Array.from({ length: 4 }, () => told(post(bob, `/calls/${call}/media`, 'x'))),
        )
        await act(ada, 'end')
        for (const answer of await answers) expect(answer).to.be.oneOf(['200 ok', '409 call is not active'])
        expect(await rowsLeft('media_chunks')).to.equal(0)
        call = await initiate('dm:ada:bob')
      }
    })
  })
})
