/**
 * Measures the cost of a tab as the office grows: bytes per second while people write and change presence, the first
 * frames of a stream, a channel switch, and the memory of a new gateway with a backlog of mentions.
 *
 *   node infra/bench/office-wire.ts [people … default 300 2000 10000] [--programs]
 *
 * A tab per person, up to 2,000 tabs: the interval by cost depends on the number of streams, and more of them need a
 * second gateway. Two messages per second in a channel; 1 % of all people change their presence state each second. Each
 * second somebody mutes a channel, sets a status, joins or leaves one of 20 public channels, replies in a followed thread
 * of another channel, writes a draft, and saves a message; each fifth second the topic of the open channel changes, or
 * somebody's title. Every ten seconds a message is pinned or unpinned, forwarded or scheduled, a group of 50 people is
 * mentioned or changed, an invitation made, and a channel renamed; all people have an emoji more or less.
 *
 * `--programs` measures our client alone: frames and bytes of the office, then with ten incoming hooks, ten outgoing ones for
 * all messages and ten bots with a token each.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { constants, createUnzip } from 'node:zlib'
import { Redis } from 'ioredis'
import pg from 'pg'
import sharp from 'sharp'
import { DELTA_NAMES, EXTRA_EVENTS, hashOf, WITH_EXTRA } from '#shared/domain/deltas.ts'
import { toText } from '#shared/notices/notice.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import type { Ask, Say } from './readers.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { programs: { type: 'boolean', default: false } },
})
const SIZES = positionals.map(Number)
const MOST_TABS = 2_000
const SETTLES = 8_000
const MEASURED = 20_000
const BACKLOG = 500
const LONGEST = 10_000
const OUR_CLIENT = `with=${[...DELTA_NAMES, ...EXTRA_EVENTS, WITH_EXTRA].join(',')}`
/** Without the events of extensions. */
const DELTAS_ALONE = `with=${DELTA_NAMES.join(',')}`
/** Events that our client names by their text (web/src/store/held.ts). */
const NAMED = ['mentions', 'inbox', 'sidebar']
const COMPRESSED = 'Accept-Encoding: gzip, deflate\r\n'
const TEXT = 'a message of the usual length, said in passing, in a channel that many look at'

/** Changes of all measurements of an office, so that none repeats one of before. */
let changed = 0

interface Figures {
  people: number
  ours: Wire
  /** Our client without the events of extensions. */
  deltas: Wire
  plain: Wire
  first: { ours: number; plain: number }
  switched: number
  memoryMb: number
}

interface Wire {
  /** Until all tabs have their first bytes. */
  openSeconds: number
  bytesPerSecond: number
  /** Counted without compression alone. */
  framesPerSecond: number
  perEvent: Record<string, number>
  gatewayCpu: number
}

/** The office, then with programs. */
interface WithPrograms {
  people: number
  before: [compressed: Wire, plain: Wire]
  after: [compressed: Wire, plain: Wire]
}

async function withPrograms(world: World): Promise<WithPrograms> {
  const both = async (): Promise<[Wire, Wire]> => [
    await bytesOf(world, OUR_CLIENT),
    await bytesOf(world, OUR_CLIENT, ''),
  ]
  const before = await both()
  await makePrograms(world.tabs[0]!)
  return { people: world.people, before, after: await both() }
}

async function makePrograms(owner: Person) {
  const made = async (path: string, body: object) => {
    const response = await owner.postJson(path, body)
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  for (let i = 0; i < 10; i++) {
    await made('/bots', { username: `program-${i}` })
    await made('/hooks_in', { name: `Incoming ${i}`, channel: i < 5 ? 'general' : `project-${i}` })
    const events = ['message.created', 'message.edited', 'message.deleted']
    await made('/hooks_out', { name: `Outgoing ${i}`, url: `https://program-${i}.example/`, events })
  }
}

async function measureOffice<T>(people: number, measure: (world: World) => Promise<T>): Promise<T> {
  changed = 0
  const backing = await testBacking()
  const env = { ...backing.env, PASSWORD_ITERATIONS: '1', LOG_LEVEL: 'error' }
  const db = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: 4 })
  const redis = new Redis(backing.env.REDIS_URL)
  const names = ['api', 'events', 'janitor', 'previews-pictures']
  const services = await Promise.all(names.map(name => startService(name, env, { checked: false })))
  const [api, gateway] = services as [RunningService, RunningService]
  try {
    const tabs = await signUp(api, Math.min(people, MOST_TABS))
    await addPeople(db, people - tabs.length)
    await everybodyIsOnline(db)
    await makeChannels(tabs[0]!)
    // The first of eight sign-ups at once is somebody else.
    await db.query(`update users set role = 'owner' where username = $1`, [tabs[0]!.name])
    const subjects = await makeSubjects(tabs)
    await backing.admin('vacuum analyze')
    const world = { backing, db, redis, gateway, tabs, people, subjects }
    return await measure(world)
  } finally {
    redis.disconnect()
    await db.end()
    await Promise.all(services.map(service => service.stop()))
    await backing.drop()
  }
}

async function figuresOf(world: World): Promise<Figures> {
  const { people } = world
  const ours = await bytesOf(world, OUR_CLIENT)
  const { first, switched } = await probe(world)
  const deltas = await bytesOf(world, DELTAS_ALONE)
  const plain = await bytesOf(world, '')
  const memoryMb = await memoryWithBacklog(world)
  return { people, ours, deltas, plain, first, switched, memoryMb }
}

interface World {
  backing: TestBacking
  db: pg.Pool
  redis: Redis
  gateway: RunningService
  tabs: Person[]
  people: number
  subjects: Subjects
}

/** Traffic of all tabs on one channel while the office works, by default with compression as browsers request it. */
async function bytesOf(world: World, query: string, headers = COMPRESSED): Promise<Wire> {
  const { gateway, tabs } = world
  const readers = new Readers()
  const opening = performance.now()
  await readers.open(gateway.url, tabs, query, headers)
  const openSeconds = (performance.now() - opening) / 1_000
  const office = work(world)
  await pause(SETTLES)
  await readers.forget()
  const [began, cpu] = [performance.now(), cpuSeconds(gateway.pid)]
  await pause(MEASURED)
  const { bytes, frames, perEvent } = await readers.forget()
  const seconds = (performance.now() - began) / 1_000
  const gatewayCpu = (cpuSeconds(gateway.pid) - cpu) / seconds
  await office.stop()
  await readers.close()
  const perTab = (count: number) => count / seconds / tabs.length
  return {
    openSeconds,
    bytesPerSecond: perTab(bytes),
    framesPerSecond: perTab(frames),
    perEvent: Object.fromEntries(Object.entries(perEvent).map(([event, count]) => [event, perTab(count)])),
    gatewayCpu,
  }
}

/** Writes and announces, as the api does, two messages and 1 % of the presence states per second. */
function work({ backing, db, redis, tabs, people, subjects }: World) {
  const keys = keysWith(backing.env.REDIS_PREFIX)
  const changing = Math.max(1, Math.round(people / 100))
  let stopped = false
  const messages = (async () => {
    for (let i = 0; !stopped; i++) {
      await Promise.all([tabs[i % tabs.length]!.send('general', `${i} ${TEXT}`), pause(500)])
    }
  })()
  const presence = (async () => {
    for (let i = 0; !stopped; i++) {
      const change = async () => {
        await db.query(
          `update presence set state = case state when 'active' then 'idle' else 'active' end,
                  last_seen = extract(epoch from clock_timestamp())
            where username in (select username from presence order by username limit $1 offset $2)`,
          [changing, (i * changing) % people],
        )
        await redis.xadd(
          keys.notices(),
          '*',
          'notice',
          toText({ concerns: [{ collections: ['online_users'] }] }),
        )
      }
      await Promise.all([change(), pause(1_000)])
    }
  })()
  const changes = (async () => {
    while (!stopped) await Promise.all([change(tabs, subjects, changed++), pause(1_000)])
  })()
  return {
    async stop() {
      stopped = true
      await Promise.all([messages, presence, changes])
    },
  }
}

const MOST_CHANNELS = 20
const GROUP_SIZE = 50

async function makeChannels(owner: Person) {
  for (let i = 0; i < MOST_CHANNELS; i++) {
    const made = await owner.postJson('/public_channels', { name: `Project ${i}`, id: `project-${i}` })
    if (made.status !== 201) throw new Error(`channel ${i}: ${made.status}`)
  }
}

/** The roots of threads and the group that the changes use. */
interface Subjects {
  roots: number[]
  image: Uint8Array<ArrayBuffer>
}

async function makeSubjects(tabs: Person[]): Promise<Subjects> {
  const [owner] = tabs as [Person]
  const roots: number[] = []
  for (let i = 0; i < 5; i++) roots.push(await owner.send(`project-${i}`, `the root of thread ${i}`))
  const followers = tabs.slice(0, GROUP_SIZE)
  for (const tab of followers)
    await Promise.all(roots.map(root => tab.fetch(`/thread/${root}/follow`, { method: 'PUT' })))
  const group = { handle: 'crew', name: 'Crew', members: followers.map(({ name }) => name) }
  const made = await owner.postJson('/groups', group)
  if (made.status !== 201) throw new Error(`group: ${made.status}`)
  const image = await sharp({ create: { width: 128, height: 128, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  return { roots, image: new Uint8Array(image) }
}

/** The writes of messages: those of each second, and one of those of ten seconds. */
function changeMessages(tabs: Person[], { roots, image }: Subjects, i: number): Promise<Response>[] {
  const [owner] = tabs as [Person]
  const somebody = (k: number) => tabs[(i * 7 + k) % tabs.length]!
  const root = roots[i % roots.length]!
  const ten = Math.floor(i / 10)
  const isEven = ten % 2 === 0
  const rare: (() => Promise<Response>)[] = [
    () => owner.fetch(`/pin/${root}`, { method: isEven ? 'PUT' : 'DELETE' }),
    () => somebody(6).postJson(`/forward/${root}`, { channel: 'general', text: `see this ${i}` }),
    () => somebody(7).postJson('/scheduled', { channel: 'project-1', text: `later ${i}`, send_ts: soon() }),
    () => owner.postForm('/send/general', { text: `@crew look at this ${i}` }),
    () => owner.patchJson('/groups/crew', { name: `Crew ${ten}` }),
    () => owner.postJson('/invites', { channels: ['general'], note: `${i}` }),
    () => owner.patchJson(`/channel_info/project-${ten % MOST_CHANNELS}`, { name: `Project ${i}` }),
    () => (isEven ? addEmoji(owner, image) : owner.fetch('/emoji/of-bench', { method: 'DELETE' })),
    () => owner.patchJson(`/channel_info/project-${ten % MOST_CHANNELS}`, { description: `about ${i}` }),
    () => owner.postForm('/send/general', { text: `@everyone ${i}` }),
  ]
  return [
    somebody(8).postForm(`/send/project-${i % roots.length}`, {
      text: `reply ${i}`,
      reply_to_id: String(root),
    }),
    somebody(9).putJson('/drafts/general', {
      text: `draft ${i}`,
      thread_id: 0,
      updated_ts: Date.now() / 1_000,
    }),
    somebody(10).putJson(`/saved/${root}`, { note: `note ${i}` }),
    rare[i % rare.length]!(),
  ]
}

const soon = () => Math.ceil(Date.now() / 1_000) + 15

function addEmoji(person: Person, image: Uint8Array<ArrayBuffer>): Promise<Response> {
  const body = new FormData()
  body.append('name', 'of-bench')
  body.append('image', new File([image], 'e.png'))
  return person.fetch('/emoji', { method: 'POST', body })
}

/** The changes of a second that only the events of extensions show. */
async function change(tabs: Person[], subjects: Subjects, i: number) {
  const [owner] = tabs as [Person]
  const somebody = (k: number) => tabs[(i * 7 + k) % tabs.length]!
  const channel = `project-${i % MOST_CHANNELS}`
  const responses = await Promise.all([
    somebody(1).mute('general', { muted_for_minutes: i % 2 === 0 ? -1 : 0 }),
    somebody(2).fetch('/status', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: `busy ${i}`, for_minutes: 30 }),
    }),
    somebody(3).postForm(`/public_channels/${channel}/join`),
    somebody(4).postForm(`/public_channels/${channel}/leave`),
    ...(i % 10 === 0 ? [owner.patchJson('/channel_info/general', { topic: `topic ${i}` })] : []),
    ...changeMessages(tabs, subjects, i),
    ...(i % 10 === 5 ? [somebody(5).patchJson('/me', { title: `title ${i}` })] : []),
  ])
  const refused = responses.find(({ ok }) => !ok)
  if (refused) throw new Error(`${refused.url}: ${refused.status}`)
}

/** The first frames of a stream, and those of a second stream opened with the hashes of the first (`known`). */
async function probe({ gateway, tabs }: World) {
  const [tab] = tabs as [Person]
  const ours = await openFor(gateway.url, tab, `channel=general&after=${Date.now() / 1_000}&${OUR_CLIENT}`)
  const plain = await openFor(gateway.url, tab, `channel=general&after=${Date.now() / 1_000}`)
  const known = Object.entries(ours.hashes).map(([event, hash]) => `${event}:${hash}`)
  const other = `dm:${[tabs[0]!.name, tabs[1]!.name].sort().join(':')}`
  await tab.send(other, 'the channel to switch to')
  await pause(2_500)
  const refreshed = await openFor(
    gateway.url,
    tab,
    `channel=general&after=${Date.now() / 1_000}&${OUR_CLIENT}`,
  )
  const again = Object.entries(refreshed.hashes).map(([event, hash]) => `${event}:${hash}`)
  const query = `channel=${encodeURIComponent(other)}&after=0&${OUR_CLIENT}&known=${(again.length ? again : known).join(',')}`
  const switched = await openFor(gateway.url, tab, query)
  return { first: { ours: ours.bytes, plain: plain.bytes }, switched: switched.bytes }
}

/** The bytes of a stream's first two seconds, and the hashes in its frames. */
function openFor(
  url: string,
  person: Person,
  query: string,
): Promise<{ bytes: number; hashes: Record<string, string> }> {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: person.cookie, Host: 'localhost', 'Accept-Encoding': 'gzip, deflate' }
    const request = httpGet(`${url}/events?${query}`, { headers }, response => {
      let bytes = 0
      let text = ''
      const decoder =
        response.headers['content-encoding'] === undefined
          ? undefined
          : createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH })
      decoder?.on('data', chunk => {
        text += chunk
      })
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (decoder) decoder.write(chunk)
        else text += chunk
      })
      setTimeout(() => {
        request.destroy()
        const hashes: Record<string, string> = {}
        for (const [, event, data] of text.matchAll(/event: (\w+)\ndata: (.*)\n/g)) {
          const hash = /"hash":"([0-9a-f]{16})"\}$/.exec(data!)?.[1]
          if (hash) hashes[event!] = hash
          else if (NAMED.includes(event!)) hashes[event!] = hashOf(data!)
        }
        resolve({ bytes, hashes })
      }, 2_000)
    })
    request.once('error', reject)
  })
}

/** All people have the same unread @everyone messages of maximum length, and all tabs reconnect at once. */
async function memoryWithBacklog({ backing, db, tabs }: World): Promise<number> {
  // A new gateway, without the garbage of the measurements before.
  const gateway = await startService('events', { ...backing.env, LOG_LEVEL: 'error' }, { checked: false })
  await db.query(
    `with tick as (
       update channels set message_count = message_count + $1,
              clock_us = clock_us + $1, newest_ts = (clock_us + $1) / 1000000::double precision
        where id = 'general'
       returning message_count - $1 as ord, clock_us - $1 as clock
     ), written as (
       insert into messages (channel, ord, sender, content, ts, mentions)
       select 'general', ord + i, $2, '@everyone ' || repeat('x', $3 - 10), (clock + i) / 1000000::double precision, '["@everyone"]'
         from tick cross join generate_series(1, $1::int) i
       returning id, ts
     )
     insert into message_mentions (channel, username, ts, message_id)
     select 'general', '@everyone', ts, id from written`,
    [BACKLOG, tabs[0]!.name, LONGEST],
  )
  const readers = new Readers()
  let peak = 0
  const watching = setInterval(() => {
    peak = Math.max(peak, residentMb(gateway.pid))
  }, 100)
  // With a cursor at the present, as our client opens a channel.
  await readers.open(gateway.url, tabs, `after=${Date.now() / 1_000}&${OUR_CLIENT}`, COMPRESSED)
  await pause(SETTLES)
  await tabs[0]!.send('general', '@everyone one more')
  await pause(SETTLES)
  clearInterval(watching)
  await readers.close()
  await gateway.stop()
  return peak
}

/** Tabs in a separate process: readers.ts. */
class Readers {
  readonly #child = fork(join(import.meta.dirname, 'readers.ts'), { execArgv: [] })

  async open(url: string, people: Person[], query: string, headers: string) {
    const { hostname, port } = new URL(url)
    const cookies = people.map(person => person.cookie)
    this.#ask({
      open: {
        host: hostname,
        port: Number(port),
        count: people.length,
        channel: 'general',
        cookies,
        query,
        headers,
      },
    })
    await this.#hear('opened')
  }

  /** Resets the counters and returns their values. */
  async forget() {
    this.#ask({ forget: true })
    return this.#hear('counts')
  }

  async close() {
    this.#ask({ close: true })
    await pause(500)
    this.#child.disconnect()
  }

  #ask(ask: Ask) {
    this.#child.send(ask)
  }

  async #hear<K extends string>(key: K): Promise<Extract<Say, Record<K, unknown>>[K]> {
    for (;;) {
      const [said] = (await once(this.#child, 'message')) as [Record<string, never>]
      if ('lost' in said) throw new Error(`${said['lost']} streams were lost`)
      if (key in said) return said[key]!
    }
  }
}

async function signUp(api: RunningService, count: number): Promise<Person[]> {
  const people: Person[] = Array.from({ length: count }, (_, i) => new Person(`tab-${i}`, api.url))
  const waiting = [...people]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let person = waiting.pop(); person; person = waiting.pop()) await person.signUp()
    }),
  )
  return people
}

/** Adds accounts without a tab, whose presence and read markers others see. */
async function addPeople(db: pg.Pool, count: number) {
  await db.query(
    `insert into users (username, password_hash, created_ts)
     select 'colleague-' || i, 'none', extract(epoch from now()) from generate_series(1, $1::int) i`,
    [count],
  )
  await db.query(
    `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
     select 'general', username, newest_ts, message_count from users, channels where channels.id = 'general'
     on conflict do nothing`,
  )
}

async function everybodyIsOnline(db: pg.Pool) {
  await db.query(
    `insert into presence (username, state, last_seen)
     select username, 'active', extract(epoch from clock_timestamp()) from users
     on conflict (username) do update set state = excluded.state, last_seen = excluded.last_seen`,
  )
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function report(figures: Figures[]) {
  const kb = (bytes: number) => (bytes / 1024).toFixed(1)
  const line = (name: string, figure: (of: Figures) => string) =>
    console.log(`  ${name.padEnd(58)} ${figures.map(of => figure(of).padStart(10)).join(' ')}`)
  console.log()
  line('people', of => String(of.people))
  line('our client, KB a second and tab (target 5)', of => kb(of.ours.bytesPerSecond))
  line('the same without events of extensions, KB a second and tab', of => kb(of.deltas.bytesPerSecond))
  line('a plain client, KB a second and tab (target 20)', of => kb(of.plain.bytesPerSecond))
  line('our client, first frames, KB (target 20)', of => kb(of.first.ours))
  line('a plain client, first frames, KB', of => kb(of.first.plain))
  line('our client, switch of the channel, KB (target 4)', of => kb(of.switched))
  line('our client, all tabs open, s', of => of.ours.openSeconds.toFixed(1))
  line('a plain client, all tabs open, s', of => of.plain.openSeconds.toFixed(1))
  line('gateway with 500 unread @everyone, peak MB (target 200)', of => of.memoryMb.toFixed(0))
  line('gateway CPU, our clients, % of a core', of => (of.ours.gatewayCpu * 100).toFixed(0))
  line('gateway CPU, without events of extensions, % of a core', of =>
    (of.deltas.gatewayCpu * 100).toFixed(0),
  )
  line('gateway CPU, plain clients, % of a core', of => (of.plain.gatewayCpu * 100).toFixed(0))
}

function reportPrograms({ people, before, after }: WithPrograms) {
  const shown = (name: string, [compressed, plain]: [Wire, Wire]) =>
    console.log(
      `  ${name.padEnd(16)} ${plain.framesPerSecond.toFixed(2)} frames and ${(compressed.bytesPerSecond / 1024).toFixed(2)} KB a second and tab, gateway CPU ${(compressed.gatewayCpu * 100).toFixed(0)} % of a core`,
    )
  console.log(`\n${people} people`)
  shown('without programs', before)
  shown('with programs', after)
  const events = Object.keys({ ...before[1].perEvent, ...after[1].perEvent }).sort()
  const rate = ([, plain]: [Wire, Wire], event: string) => (plain.perEvent[event] ?? 0).toFixed(2)
  console.log(
    `  frames: ${events.map(event => `${event} ${rate(before, event)} → ${rate(after, event)}`).join(', ')}`,
  )
}

const sizes = SIZES.length > 0 ? SIZES : [300, 2_000, 10_000]
if (options.programs) for (const people of sizes) reportPrograms(await measureOffice(people, withPrograms))
else {
  const all: Figures[] = []
  for (const people of sizes) all.push(await measureOffice(people, figuresOf))
  report(all)
}
await closeRunBacking()
