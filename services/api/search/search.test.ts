import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import { parseSearch } from '#shared/domain/search-query.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { cursorFrom } from './cursor.ts'
import { inTurn } from './in-turn.ts'
import { spanKeys } from './places.ts'
import { type SearchRequest, search as searchThrough } from './search.ts'

const DAY = 86_400
/** Saved by ada. */
const SAVED = ['the soak went well overnight, 100% of them', 'ok']

describe('the search with a query language (interface 14.1)', () => {
  let world: World
  let dora: Person
  let den: string
  before(async function () {
    this.timeout(120_000)
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    den = await world.privateChannel('Rev C board', [world.ada, world.bob])
    await seed()
  })
  after(() => world.end())

  async function seed() {
    const { ada, bob, cleo, mallory } = world
    const image = {
      name: 'tile.png',
      bytes: await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    }
    await ada.send('general', 'Overnight soak: 3 of 14 units dropped off')
    const soak = await bob.send('general', 'the soak went well overnight, 100% of them')
    await cleo.send('general', 'overnight  soak with two spaces', { reply_to_id: String(soak) })
    await bob.send('general', '@ada see https://example.org/soak_test')
    await ada.send('general', '@bob ```\nsoak()\n```')
    await mallory.send('general', 'inline `soak` here, @everyone')
    await ada.react(soak, 'tada')
    const edited = await cleo.send('design', 'zebra')
    await cleo.edit(edited, 'giraffe soak')
    await bob.delete(await bob.send('design', 'deleted soak'))
    await bob.sendFiles('design', [image], { text: 'a sketch of the soak' })
    await cleo.send('design', 'İstanbul soak GRÜSSE Größe')
    await ada.send('design', 'a\\b 50%_done from:ada 10:42')
    await bob.send('dm:ada:bob', 'secret soak for ada')
    await cleo.send('dm:ada:bob:cleo', 'three of us soak')
    await bob.send('dm:bob:cleo', 'soak without ada')
    await bob.send(den, 'den soak before dora')
    dora = await world.lateJoiner(den, ada)
    await ada.send(den, 'den soak after dora @dora')
    await mallory.markRead('general')
    await bob.markRead('design')
    const last = await ada.send('general', 'ok')
    const ftyp = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex')
    await cleo.sendFiles(
      'design',
      [
        { name: 'The Plan.pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') },
        { name: 'plan B.mp4', bytes: ftyp },
        { name: '100%_plan.txt', bytes: Buffer.from('soak') },
      ],
      { text: 'plans' },
    )
    await bob.sendFiles('dm:bob:cleo', [{ name: 'secret plan.pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') }])
    await cleo.sendFiles('design', [{ name: 'whistle.mp3', bytes: Buffer.from('ID3\x04') }])
    await new Person('robot', world.api[0]!.url)
      .signUp()
      .then(robot => robot.send('general', 'soak ended: ok'))
    await mallory.send('general', 'alarm ok: sent by a hook')
    // Bots and hooks have no endpoints yet: the stored form alone.
    await world.backing.admin(
      `update users set kind = 'bot' where username = 'robot';
       update messages set extra = '{"bot": {"name": "alarm", "hook_id": 1}}' where content like 'alarm ok%'`,
    )
    const gone = await bob.sendFiles('general', [{ name: 'deleted plan.pdf', bytes: Buffer.from('x') }])
    await bob.delete(Number(gone.headers.get('X-Message-Id')))
    await put(bob, `/pin/${soak}`)
    await put(ada, `/pin/${edited}`)
    for (const id of [soak, last]) await put(ada, `/saved/${id}`)
    await put(bob, `/saved/${edited}`)
    // Days apart: 1 to 6 days ago, and months.
    await world.backing.admin(
      `update messages set ts = ts - ${DAY} * (6 - ord) where channel = 'general' and ord < 6;
       update messages set ts = ts - ${DAY} * 40 * (6 - ord) where channel = 'design' and ord < 6`,
    )
  }

  const put = (person: Person, path: string) =>
    person.fetch(path, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{}' })

  const fetchSearch = (fields: Record<string, string>, who = world.ada) =>
    who.fetch(`/search?${new URLSearchParams(fields)}`)
  const search = (q: string, who = world.ada, fields: Record<string, string> = {}) =>
    who.get<SearchPayload>(`/search?${new URLSearchParams({ q, ...fields })}`)

  interface Reading {
    row: MessagePayload
    viewer: Person
    lastRead: number
  }
  type Rule = (reading: Reading) => boolean

  /** All messages that a viewer may read, by the endpoints of channels. */
  async function readAll(viewer: Person): Promise<Reading[]> {
    const channels = [
      ...(await viewer.get<string[]>('/channels')),
      ...(await viewer.get<{ channel: string }[]>('/private_channels')).map(one => one.channel),
      ...(await viewer.get<{ channel: string }[]>('/dms')).map(one => one.channel),
    ]
    const found: Reading[] = []
    for (const channel of channels) {
      const receipts = await viewer.get<Record<string, number>>(`/read_receipts/${channel}`)
      const rows = await viewer.get<MessagePayload[]>(`/messages/${channel}?after=-1&extra=1`)
      for (const row of rows)
        if (row.deleted === 0) found.push({ row, viewer, lastRead: receipts[viewer.name] ?? 0 })
    }
    return found
  }

  const word =
    (text: string): Rule =>
    ({ row }) =>
      (row.content || row.extra?.file?.name || '').toLowerCase().includes(text)
  const not =
    (rule: Rule): Rule =>
    reading =>
      !rule(reading)
  const from =
    (...names: string[]): Rule =>
    ({ row }) =>
      names.includes(row.sender)
  const within =
    (...channels: string[]): Rule =>
    ({ row }) =>
      channels.includes(row.channel)
  const mine: Rule = ({ row, viewer }) => row.sender === viewer.name
  const attached: Rule = ({ row }) => row.filename !== null
  const image: Rule = ({ row }) => /\.png$/.test(row.filename ?? '')
  const file =
    (...words: string[]): Rule =>
    ({ row }) => {
      const name = row.extra?.file?.name.toLowerCase()
      return name !== undefined && words.every(one => name.includes(one))
    }
  const hasThread: Rule = ({ row }) => row.extra?.replies !== undefined
  const inThread: Rule = ({ row }) => row.extra?.thread !== undefined || row.extra?.replies !== undefined
  const pinned: Rule = ({ row }) => row.extra?.pinned !== undefined
  const saved: Rule = ({ row, viewer }) =>
    (viewer.name === 'ada' ? SAVED : viewer.name === 'bob' ? ['giraffe soak'] : []).includes(
      row.content ?? '',
    )
  const link = word('http')
  const code: Rule = ({ row }) => (row.content ?? '').includes('`')
  const reaction: Rule = ({ row }) => row.reactions !== null
  const direct: Rule = ({ row }) => row.channel.startsWith('dm:')
  const reply: Rule = ({ row }) => row.reply_to_id !== null
  const edited: Rule = ({ row }) => row.edited === 1
  const mention: Rule = ({ row, viewer }) =>
    row.sender !== viewer.name &&
    (JSON.parse(row.mentions ?? '[]') as string[]).some(name => [viewer.name, '@everyone'].includes(name))
  const unread: Rule = ({ row, viewer, lastRead }) => row.sender !== viewer.name && row.ts > lastRead
  const bot: Rule = ({ row }) => row.sender === 'robot' || (row.content ?? '').startsWith('alarm')
  const midnight = (daysAgo: number) => (Math.floor(Date.now() / 1000 / DAY) - daysAgo) * DAY
  const since =
    (ts: number): Rule =>
    ({ row }) =>
      row.ts >= ts
  const nothing: Rule = () => false

  const QUERIES: [query: string, ...rules: Rule[]][] = [
    ['soak', word('soak')],
    ['SOAK overnight', word('soak'), word('overnight')],
    ['overnight soak', word('soak'), word('overnight')],
    ['"overnight soak"', word('overnight soak')],
    ['"overnight  soak"', word('overnight  soak')],
    ['soak -overnight', word('soak'), not(word('overnight'))],
    ['soak -"overnight soak"', word('soak'), not(word('overnight soak'))],
    ['-soak', not(word('soak'))],
    ['-soak -ok', not(word('soak')), not(word('ok'))],
    ['ok', word('ok')],
    ['o k', word('o'), word('k')],
    ['a o soak', word('a'), word('o'), word('soak')],
    ['100%', word('100%')],
    ['50%_d', word('50%_d')],
    ['k_t', word('k_t')],
    ['a\\b', word('a\\b')],
    ['from\\:ada', word('from:ada')],
    ['10:42', word('10:42')],
    ['http://', word('http://')],
    ['größe', word('größe')],
    ['stanbul', word('stanbul')],
    ['nowhere to be found', word('nowhere')],
    ['from:ada', from('ada')],
    ['from:@ADA soak', from('ada'), word('soak')],
    ['from:me', mine],
    ['-from:me', not(mine)],
    ['from:ada from:bob', from('ada', 'bob')],
    ['from:ada from:bob -from:bob', from('ada')],
    ['-from:ada soak', not(from('ada')), word('soak')],
    ['from:system', from('system')],
    ['from:nobody', nothing],
    ['from:nobody from:ada', from('ada')],
    ['-from:nobody soak', word('soak')],
    ['in:general', within('general')],
    ['in:#GENERAL soak', within('general'), word('soak')],
    ['in:general in:design', within('general', 'design')],
    ['-in:general', not(within('general'))],
    ['in:general from:bob', within('general'), from('bob')],
    ['in:dm:bob:ada', within('dm:ada:bob')],
    ['in:dm:bob:cleo', within('dm:bob:cleo')],
    ['in:nowhere', nothing],
    ['in:"rev c BOARD"', within('private:1')],
    ['in:private:1 soak', within('private:1'), word('soak')],
    ['-in:private:1 soak', not(within('private:1')), word('soak')],
    ['in:@nobody', nothing],
    ['has:image', image],
    ['has:file -from:ada', attached, not(from('ada'))],
    ['-has:image in:design', not(image), within('design')],
    ['has:link', link],
    ['-has:link soak', not(link), word('soak')],
    ['has:code', code],
    ['has:code -has:link soak', code, not(link), word('soak')],
    ['-has:code', not(code)],
    ['has:reaction', reaction],
    ['-has:reaction from:bob', not(reaction), from('bob')],
    ['is:dm', direct],
    ['-is:dm soak', not(direct), word('soak')],
    ['is:reply', reply],
    ['-is:reply in:general', not(reply), within('general')],
    ['is:edited', edited],
    ['-is:edited in:design', not(edited), within('design')],
    ['is:mention', mention],
    ['-is:mention soak', not(mention), word('soak')],
    ['is:unread', unread],
    ['-is:unread soak', not(unread), word('soak')],
    ['is:unread is:mention', unread, mention],
    ['on:today', since(midnight(0))],
    ['on:yesterday', since(midnight(1)), not(since(midnight(0)))],
    [
      '-on:yesterday soak',
      reading => !since(midnight(1))(reading) || since(midnight(0))(reading),
      word('soak'),
    ],
    ['before:today', not(since(midnight(0)))],
    ['after:3d', since(midnight(2))],
    ['-after:3d', not(since(midnight(2)))],
    ['-before:1w soak', since(midnight(7)), word('soak')],
    ['before:3d after:2w soak', not(since(midnight(3))), since(midnight(13)), word('soak')],
    ['soak has:nothing', word('soak')],
    ['soak on:soon is:pin', word('soak')],
    ['tile', file('tile')],
    ['tile.pn', file('tile.pn')],
    ['PLAN', word('plan')],
    ['plan pdf', file('plan', 'pdf')],
    ['plan is:dm', direct, file('plan')],
    ['plan from:cleo -is:dm', from('cleo'), not(direct), word('plan')],
    ['pl -soak', word('pl'), not(word('soak'))],
    ['-plan in:design', not(word('plan')), within('design')],
    ['name:plan', file('plan')],
    ['name:PL', file('pl')],
    ['name:plan name:.pdf', file('plan', '.pdf')],
    ['name:plan soak', nothing],
    ['-name:plan has:file', not(file('plan')), attached],
    ['name:"the plan"', file('the plan')],
    ['has:pdf', file('.pdf')],
    ['100%_p', file('100%_p')],
    ['has:video', file('.mp4')],
    ['has:audio', file('.mp3')],
    ['whistle -has:audio', nothing],
    ['-has:audio has:file from:cleo', not(file('.mp3')), attached, from('cleo')],
    ['-has:pdf has:file', not(file('.pdf')), attached],
    ['has:pin', pinned],
    ['-has:pin soak', not(pinned), word('soak')],
    ['is:saved', saved],
    ['-is:saved soak', not(saved), word('soak')],
    ['is:saved has:pin', saved, pinned],
    ['has:thread', hasThread],
    ['-has:thread soak', not(hasThread), word('soak')],
    ['is:thread', inThread],
    ['is:thread overnight', inThread, word('overnight')],
    ['-is:thread in:general', not(inThread), within('general')],
    ['is:bot', bot],
    ['is:bot from:robot', bot, from('robot')],
    ['is:bot -from:robot ok', bot, not(from('robot')), word('ok')],
    ['-is:bot ok', not(bot), word('ok')],
  ]

  it('finds the same as a reader of all messages, for every viewer', async function () {
    this.timeout(120_000)
    let hits = 0
    for (const viewer of [world.ada, world.bob, world.cleo, world.mallory, dora]) {
      const all = await readAll(viewer)
      for (const [query, ...rules] of QUERIES) {
        const wanted = all.filter(reading => rules.every(rule => rule(reading))).map(({ row }) => row)
        wanted.sort((a, b) => b.ts - a.ts || b.id - a.id)
        const found = await search(query, viewer, { limit: '200' })
        const shown = (rows: { id: number; content: string | null }[]) =>
          rows.map(({ id, content }) => `${id} ${content}`)
        expect(shown(found.items), `${viewer.name}: ${query}`).to.deep.equal(shown(wanted))
        expect([found.total, found.total_is, found.complete, found.next], query).to.deep.equal([
          wanted.length,
          'exact',
          true,
          null,
        ])
        hits += wanted.length
        const oldest = await search(query, viewer, { limit: '200', sort: 'oldest' })
        expect(shown(oldest.items), `${query}, oldest first`).to.deep.equal(shown(wanted.reverse()))
      }
    }
    expect(hits).to.be.greaterThan(1_000)
  })

  /** Searches as the api does, but a request reads one step only. */
  const inSteps = (
    db: pg.Pool,
    rows: number,
    q: string,
    sort: 'newest' | 'oldest' = 'newest',
    cursor?: SearchPayload['next'],
  ) => {
    const bounds = { firstRows: rows, stepRows: rows, mostRows: rows }
    const request = requestOf(q, sort, cursor)
    return inTurn({ pool: db }, 'ada', tx => searchThrough(storesOf(db), 'ada', request, tx, bounds))
  }
  const storesOf = (db: pg.Pool) =>
    ({ db, settings: { current: { channels: ['general', 'design'] } } }) as unknown as Stores
  const requestOf = (
    q: string,
    sort: 'newest' | 'oldest' = 'newest',
    cursor?: SearchPayload['next'],
  ): SearchRequest => ({
    query: parseSearch(q, Date.now() / 1000, 'UTC'),
    sort,
    limit: 50,
    cursor: cursor ? cursorFrom(cursor) : undefined,
    mark: '',
  })

  it('finds the same in many small steps, by the index and without it', async function () {
    this.timeout(120_000)
    const db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    let requests = 0
    for (const [at, [query]] of QUERIES.entries()) {
      const sort = at % 2 === 0 ? 'newest' : 'oldest'
      const ids: number[] = []
      let page: SearchPayload | undefined
      do {
        page = await inSteps(db, 8, query, sort, page?.next)
        ids.push(...page.items.map(item => item.id))
        expect(page.complete, query).to.equal(page.next === null)
        requests++
      } while (page.next !== null)
      const whole = await search(query, world.ada, { limit: '200', sort })
      expect(ids, `${query}, ${sort} first`).to.deep.equal(whole.items.map(item => item.id))
    }
    await db.end()
    expect(requests).to.be.greaterThan(200)
  })

  it('finds links by the index: a walk would read everything where there are few', async () => {
    const db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    const bounds = { firstRows: 4, stepRows: 1_000, mostRows: 4 }
    const page = await inTurn({ pool: db }, 'ada', tx =>
      searchThrough(storesOf(db), 'ada', requestOf('has:link'), tx, bounds),
    )
    await db.end()
    expect(page).to.include({ complete: true, total_is: 'exact', total: 1 })
    expect(page.items[0]!.match).to.deep.equal([])
  })

  it('computes the keys of the index as the database does', async () => {
    const db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    const now = 1_795_000_000.123_456
    for (const before of [0, 1, 63, 64, 5_000, DAY, 30 * DAY, 900 * DAY]) {
      const keys = spanKeys(now - before, now)
      expect(keys!.length).to.be.within(1, 64)
      for (const ts of [now, now - before / 3, now - before]) {
        const { rows } = await db.query(`select text_places('general', $1) && $2::bigint[] as "isIn"`, [
          ts,
          keys,
        ])
        expect(rows, `${before}`).to.deep.equal([{ isIn: true }])
      }
    }
    expect(spanKeys(0, now), 'too many').to.equal(undefined)
    await db.end()
  })

  it('ends after a step when its rows are used up, and goes on without gaps', async () => {
    const db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    const first = await inSteps(db, 8, 'qz')
    expect([first.items, first.complete, first.total_is]).to.deep.equal([[], false, 'more'])
    expect(first.searched_back_to).to.be.a('number')
    const next = await inSteps(db, 8, 'qz', 'newest', first.next)
    if (!next.complete) expect(next.searched_back_to).to.be.lessThan(first.searched_back_to!)
    await db.end()
  })

  it('finds the DM with one person by @name, without those with others', async () => {
    const contents = async (q: string, who: Person) => (await search(q, who)).items.map(item => item.content)
    expect(await contents('in:@bob', world.ada)).to.deep.equal(['secret soak for ada'])
    expect(await contents('in:@ada', world.bob)).to.deep.equal(['secret soak for ada'])
    expect(await contents('in:@mallory', world.ada)).to.deep.equal([])
    expect((await search('in:@mallory')).parsed.problems).to.deep.equal([])
  })

  it('finds by the days of a time zone', async () => {
    const at = Math.floor(Date.now() / 1000)
    const day = (zone: string) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(at * 1000))
    for (const tz of ['Pacific/Kiritimati', 'America/Adak'])
      expect(
        (await search(`on:${day(tz)} ok`, world.ada, { tz })).items.map(item => item.content),
      ).to.include('ok')
  })

  it('returns the fields of a hit and the matched ranges', async () => {
    const { items } = await search('sketch THE')
    expect(items[0]).to.deep.include({
      channel: 'design',
      sender: 'bob',
      content: 'a sketch of the soak',
      thread: null,
      file: null,
      match: [
        [2, 8],
        [12, 15],
      ],
    })
    const [picture] = (await search('has:image')).items
    expect(picture!.file).to.match(/\.png$/)
  })

  it('names the tokens that it left out, and those that match nothing', async () => {
    expect((await search('soak has:x on:soon from:nobody -in:nowhere in:private:1')).parsed).to.deep.equal({
      problems: [
        { token: 'has:x', why: 'unknown_value' },
        { token: 'on:soon', why: 'bad_date' },
        { token: 'from:nobody', why: 'unknown_person' },
        { token: '-in:nowhere', why: 'unknown_channel' },
      ],
    })
    const outside = (await search('in:private:1 in:"Rev C board" in:dm:ada:bob', world.mallory)).parsed
      .problems
    expect(outside.map(problem => problem.why)).to.deep.equal(Array(3).fill('unknown_channel'))
  })

  it('refuses a malformed request with a sentence and a code', async () => {
    const refused = async (fields: Record<string, string>) => {
      const response = await fetchSearch(fields)
      expect(response.status).to.equal(400)
      const body = (await response.json()) as { error: string; code: string }
      expect(body.error).to.match(/^\w+ \w+/)
      return body.code
    }
    expect(await refused({})).to.equal('required')
    expect(await refused({ q: 'x'.repeat(501) })).to.equal('too_long')
    for (const fields of [
      { q: ' ' },
      { q: 'has:x on:soon' },
      { q: 'a\0b' },
      { q: 'a', sort: 'best' },
      { q: 'a', limit: '0' },
      { q: 'a', limit: '201' },
      { q: 'a', tz: 'Mars' },
      { q: 'a', cursor: 'x' },
      { q: 'a', cursor: Buffer.from('["oldest",1,1,1,"exact"]').toString('base64url') },
    ] as Record<string, string>[])
      expect(await refused(fields), JSON.stringify(fields)).to.equal('invalid')
  })

  it('returns each of many hits once, page by page, while others post', async () => {
    await world.backing.admin(
      `insert into messages (channel, ord, sender, content, ts)
       select 'design', 1000 + i, 'cleo', 'flood ' || i, ${midnight(300)} + i from generate_series(1, 300) i`,
    )
    for (const sort of ['newest', 'oldest'] as const) {
      const found: string[] = []
      let cursor: string | null | undefined
      do {
        const page: SearchPayload = await search('flood', world.ada, {
          sort,
          limit: '70',
          ...(cursor && { cursor }),
        })
        expect([page.total, page.total_is]).to.deep.equal([300, 'exact'])
        found.push(...page.items.map(item => item.content!))
        cursor = page.next
        if (cursor && sort === 'newest') {
          const id = await world.bob.send('general', 'flood of today')
          await world.bob.delete(id)
          await world.bob.send('general', 'still raining')
        }
      } while (cursor)
      const all = Array.from({ length: 300 }, (_, i) => `flood ${i + 1}`)
      expect(found).to.deep.equal(sort === 'newest' ? all.reverse() : all)
    }
    const { next } = await search('flood', world.ada, { limit: '70', tz: 'UTC' })
    const others = [
      { q: 'flood -today', tz: 'UTC' },
      { q: 'flood', tz: 'Asia/Tokyo' },
    ]
    for (const other of others) {
      const response = await world.ada.fetch(`/search?${new URLSearchParams({ ...other, cursor: next! })}`)
      expect([response.status, await response.json()]).to.deep.equal([
        400,
        { error: 'cursor is not one of this search', code: 'invalid' },
      ])
    }
  })

  it('counts to a thousand', async () => {
    await world.backing.admin(
      `insert into messages (channel, ord, sender, content, ts)
       select 'design', 2000 + i, 'cleo', 'deluge', ${midnight(301)} + i from generate_series(1, 1001) i`,
    )
    const { total, total_is, complete, items } = await search('deluge')
    expect([total, total_is, complete, items.length]).to.deep.equal([1_000, 'more', true, 50])
  })

  describe('without a usable index', () => {
    let db: pg.Pool
    before(async () => {
      db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
      await world.backing.admin(
        `insert into messages (channel, ord, sender, content, ts)
         select case when i % 10 = 5 then 'dm:bob:cleo' else 'general' end, 5000 + i, 'bob',
                case when i % 4 = 0 then 'qx sound ' else 'no ' end || i, ${midnight(-1)} + i
           from generate_series(1, 40) i`,
      )
    })
    after(() => db.end())

    const found = (q: string, sort?: 'newest' | 'oldest', cursor?: SearchPayload['next']) =>
      inSteps(db, 10, q, sort, cursor)

    for (const sort of ['newest', 'oldest'] as const) {
      it(`says how far it looked, and goes on from there, ${sort} first`, async () => {
        const contents: string[] = []
        const ends: (number | undefined)[] = []
        let page = await found('qx in:general after:today', sort)
        expect(page.total_is).to.equal('more')
        for (;;) {
          contents.push(...page.items.map(item => item.content!))
          expect(page.complete).to.equal(page.next === null)
          ends.push(page.searched_back_to)
          if (!page.next) break
          page = await found('qx in:general after:today', sort, page.next)
        }
        const all = Array.from({ length: 10 }, (_, i) => `qx sound ${(i + 1) * 4}`)
        expect(contents).to.deep.equal(sort === 'oldest' ? all : all.reverse())
        expect(ends.length).to.be.within(4, 6)
        expect(ends.slice(0, -1).every(Number.isInteger)).to.equal(true)
      })
    }

    it('is complete with a word that the index knows', async () => {
      const page = await search('qx sound after:today')
      expect([page.items.length, page.complete]).to.deep.equal([10, true])
    })

    it('does not count messages that the viewer cannot read', async () => {
      const page = await found('from:bob in:dm:bob:cleo')
      expect([page.items, page.total]).to.deep.equal([[], 0])
    })
  })
})
