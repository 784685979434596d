/**
 * Measures how a hostile account affects another user. Each scenario is an abuse at full speed, with the default rate
 * limits, against a new stack (two api processes, a gateway, a janitor, previews, previews-pictures, loopback only).
 *
 *   node infra/bench/abuse.ts [name of a scenario, or its beginning …] [--rounds=1]
 *   node infra/bench/abuse.ts --list
 *
 * The victim runs in a separate thread: it reads, requests /version, sends and follows a stream. Prints its median
 * latencies before and during the abuse, and the memory growth of the processes: live, for which garbage is collected shortly before
 * the end, and with the garbage of a flood. Limits: 3 times the latency of each kind of request, 150 MB more live memory,
 * 300 with garbage. With several rounds, rest and abuse alternate, each time by another account. The reference row floods /healthz, which costs the server nothing: its factor is the share of the attacker's own process.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Redis } from 'ioredis'
import pg from 'pg'
import sharp from 'sharp'
import { DELTA_NAMES, EXTRA_EVENTS, WITH_EXTRA } from '#shared/domain/deltas.ts'
import { newTokenText } from '#shared/http/token-text.ts'
import { insertMessages } from '#shared/posting/insert-messages.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { freePort, type RunningService, startService } from '#shared/test-kit/processes.ts'
import { Program, programOf } from '#shared/test-kit/program.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { inspectedAt, residentBytes } from './live-memory.ts'

const BEFORE = 4_000
const DURING = 8_000
/** Between the rounds of the victim: so that it stays below 240 sends a minute, its own limit. */
const ROUND = 260
const VIEWERS = 60
const ARCHIVES = Array.from({ length: 8 }, (_, i) => `archive-${i}`)
const MOST_SLOWER = 3
const MOST_GROWTH = 150
/**
 * An api process under a flood grows by 235 MB and no further, whatever the request: V8 collects that late, and 8 MB are left
 * of it.
 */
const MOST_WITH_GARBAGE = 300
/** Before the end of an abuse: garbage is collected while what it holds is still held. */
const COLLECTED = 1_500
/** A message of maximum length, in characters of three bytes. */
const LONG_TEXT = '語'.repeat(10_000)

/** Kinds of reads of a history: the whole, and pages. */
const READS = ['', '?limit=200', '?around_ts=0&limit=200']

/** Lists with whole texts (services/api/README.md). */
const LISTS_OF_TEXTS = [
  '/drafts',
  '/saved?limit=200',
  '/pins/archive-1?limit=200',
  '/thread/<root>?limit=200',
  '/linked_messages?ids=<ids>',
  '/scheduled?limit=200',
  '/threads?limit=50',
  '/message/<root>/edits',
  '/messages/archive-1?limit=200',
  `/search_messages?q=${encodeURIComponent('語語語')}`,
]

interface Work {
  name: string
  cookie: string
  api: string
  events: string
}

const KINDS = ['reads', 'version', 'sends'] as const
type Kind = (typeof KINDS)[number]

/** Latencies in milliseconds, and statuses that are not 2xx. */
interface Measured extends Record<Kind, number[]> {
  frames: number[]
  refused: Record<string, number>
}

const nothing = (): Measured => ({ reads: [], version: [], sends: [], frames: [], refused: {} })

function addTo(all: Measured, { refused, ...times }: Measured) {
  for (const kind of [...KINDS, 'frames'] as const) all[kind].push(...times[kind])
  for (const [status, count] of Object.entries(refused))
    all.refused[status] = (all.refused[status] ?? 0) + count
}

/** The victim: measures a few requests a second, and for every second message the time to its frame. */
async function work({ name, cookie, api, events }: Work) {
  const port = parentPort!
  const victim = new Person(name, api)
  victim.cookie = cookie
  let measured = nothing()
  port.on('message', () => {
    port.postMessage(measured)
    measured = nothing()
  })
  let tab = await openTab(events, cookie, { channel: 'quiet', after: Date.now() / 1_000 })
  const timed = async (kind: Kind, request: () => Promise<Response>) => {
    const began = performance.now()
    const { refused } = measured
    const times = measured[kind]
    try {
      const response = await request()
      await response.text()
      times.push(performance.now() - began)
      if (response.status >= 400) refused[response.status] = (refused[response.status] ?? 0) + 1
      return response
    } catch {
      refused['none'] = (refused['none'] ?? 0) + 1
      return undefined
    }
  }
  for (let i = 0; ; i++) {
    await timed('reads', () => victim.fetch('/channels'))
    await timed('reads', () => victim.fetch('/messages/general?limit=50'))
    await timed('version', () => victim.fetch('/version'))
    const text = `${randomUUID()} quietly`
    const { frames } = measured
    const began = performance.now()
    const sent = await timed('sends', () => victim.postForm('/send/quiet', { text }))
    if (i % 2 === 0 && sent?.status === 200) {
      if (!tab.isOpen)
        tab = await openTab(events, cookie, { channel: 'quiet', after: Date.now() / 1_000 - 5 })
      await tab.waitFor(one => one.raw.includes(text), 3_000).catch(() => {})
      frames.push(performance.now() - began)
    }
    await pause(ROUND)
  }
}

interface Stack {
  apis: RunningService[]
  events: RunningService
  pool: pg.Pool
  redis: Redis
  prefix: string
  victim: Person
  viewers: Person[]
  /** Signs up a person whose requests go to one of the api processes. */
  somebody(name: string): Promise<Person>
}

/** Number of responses by status, and a remark for the table. */
interface Attack {
  statuses: Map<number | string, number>
  remark?: string
}

type Scenario = (stack: Stack, attacker: Person, until: number) => Promise<Attack>

async function main() {
  const { positionals: wanted, values } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean' }, rounds: { type: 'string', default: '1' } },
  })
  const rounds = Number(values.rounds)
  const titles = Object.keys(SCENARIOS)
  if (values.list) return console.log(titles.join('\n'))
  const isMeant = (title: string, word: string) => title === word || title.startsWith(`${word} `)
  const unknown = wanted.find(word => !titles.some(title => isMeant(title, word)))
  if (unknown !== undefined) throw new Error(`no scenario is named "${unknown}"; --list prints their names`)
  const backing = await testBacking()
  backing.settings({
    channels: ['general', 'quiet', ...ARCHIVES],
    keep_edits: true,
    hooks_allow: ['127.0.0.0/8'],
    rate_limits: { account: [30_000, 60] },
  })
  const env = { ...backing.env, LOG_LEVEL: 'fatal', PASSWORD_ITERATIONS: '100000', TRUST_PROXY: '1' }
  const [first, second, events, janitor] = await Promise.all([
    startMeasured('api', env),
    startMeasured('api', env),
    startMeasured('events', env),
    startMeasured('janitor', env),
  ])
  const previews = await Promise.all(['previews', 'previews-pictures'].map(name => startService(name, env)))
  const apis = [first, second]
  const somebody = (name: string) =>
    new Person(`${name}-${randomUUID().slice(0, 6)}`, apis[Math.round(Math.random())]!.url).signUp()
  const stack: Stack = {
    apis,
    events,
    pool: new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: 2 }),
    redis: new Redis(backing.env.REDIS_URL),
    prefix: backing.env.REDIS_PREFIX,
    victim: await new Person('victim', apis[0]!.url).signUp(),
    viewers: [],
    somebody,
  }
  for (let i = 0; i < VIEWERS; i += 4) {
    stack.viewers.push(...(await Promise.all([1, 2, 3, 4].map(() => somebody('viewer')))))
  }
  // In this process, since so few readers cost little.
  const tabs = await Promise.all(
    stack.viewers.map(({ cookie }) =>
      openTab(events.url, cookie, { channel: 'quiet', after: Date.now() / 1_000 }),
    ),
  )
  for (const channel of ARCHIVES) await fill(stack, channel, 'victim', 300, LONG_TEXT)

  const { name, cookie } = stack.victim
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { name, cookie, api: apis[0]!.url, events: events.url } satisfies Work,
  })
  const collect = async () => {
    worker.postMessage('collect')
    return (await once(worker, 'message'))[0] as Measured
  }

  console.log(
    '| scenario | reads of the victim, ms | /version, ms | sends, ms | worst factor | frames, ms | refused | api, MB live and at most | events, MB | janitor, MB | the attacker got |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  )
  let over = 0
  for (const [title, scenario] of Object.entries(SCENARIOS)) {
    if (wanted.length > 0 && !wanted.some(word => isMeant(title, word))) continue
    const before = nothing()
    const during = nothing()
    const attack: Attack = { statuses: new Map() }
    const memory = await watchMemory([first, second, events, janitor])
    for (let round = 0; round < rounds; round++) {
      const attacker = await somebody('mallory')
      await pause(1_000)
      await collect()
      await pause(BEFORE)
      addTo(before, await collect())
      const until = performance.now() + DURING
      const collected = pause(DURING - COLLECTED).then(memory.collect)
      const { statuses, remark } = await scenario(stack, attacker, until).catch(
        (err): Attack => ({
          statuses: new Map([[`failed: ${(err as Error).message.slice(0, 60)}`, 1]]),
        }),
      )
      addTo(during, await collect())
      await collected
      for (const [status, count] of statuses)
        attack.statuses.set(status, (attack.statuses.get(status) ?? 0) + count)
      if (remark) attack.remark = remark
    }
    const [api1, api2, gateway, background] = memory.stop() as [Growth, Growth, Growth, Growth]
    const api = { live: Math.max(api1.live, api2.live), most: Math.max(api1.most, api2.most) }
    const factor = Math.max(...KINDS.map(kind => median(during[kind]) / median(before[kind])))
    const isLarge = ({ live, most }: Growth) => live > MOST_GROWTH || most > MOST_WITH_GARBAGE
    const isOver = factor > MOST_SLOWER || [api, gateway, background].some(isLarge)
    if (isOver) over++
    console.log(
      `| ${title} | ${KINDS.map(kind => `${shown(before[kind])} → ${shown(during[kind])}`).join(' | ')} | ${factor.toFixed(1)}${isOver ? ' **over**' : ''} | ${shown(before.frames)} → ${shown(during.frames)} | ${countsOf(Object.entries(during.refused))} | ${[api, gateway, background].map(({ live, most }) => `${live}, ${most}`).join(' | ')} | ${countsOf([...attack.statuses])}${attack.remark ? `; ${attack.remark}` : ''} |`,
    )
  }
  console.log(over === 0 ? 'all within the limits' : `${over} over a limit`)

  await worker.terminate()
  for (const tab of tabs) tab.close()
  await Promise.all([...apis, events, janitor, ...previews].map(service => service.stop()))
  await stack.pool.end()
  stack.redis.disconnect()
  await backing.drop()
  await closeRunBacking()
}

const SCENARIOS: Record<string, Scenario> = {
  reference: (stack, _attacker, until) =>
    flood(8, until, async i => (await drained(await fetch(`${stack.apis[i % 2]!.url}/healthz`))).status),

  'H1 many @': (stack, attacker, until) =>
    flood(4, until, i => send(stack, attacker, i, 'general', '(@a'.repeat(3_333))),

  'H2 readers that do not read': async (stack, attacker, until) => {
    const sockets: Socket[] = []
    const result = await flood(10, until, async i => {
      sockets.push(
        await pausedRequest(
          stack.apis[i % 2]!,
          `/messages/${ARCHIVES[i % 8]}${READS[i % 3]}`,
          attacker.cookie,
        ),
      )
      await pause(100)
      return 'opened'
    })
    for (const socket of sockets) socket.destroy()
    return result
  },

  'B14 fifty that do not read': async (stack, attacker, until) => {
    const sockets = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        pausedRequest(stack.apis[i % 2]!, `/messages/${ARCHIVES[i % 8]}${READS[i % 3]}`, attacker.cookie),
      ),
    )
    await pause(until - performance.now())
    const open = sockets.filter(socket => !socket.closed).length
    for (const socket of sockets) socket.destroy()
    return { statuses: new Map([['open at the end', open]]) }
  },

  'H3 deletion of a prolific account': async (stack, attacker, until) => {
    await fill(stack, 'quiet', attacker.name, 20_000, 'one of many')
    const began = performance.now()
    const response = await attacker.postJson('/delete_account', { type: 'hard', password: PASSWORD })
    const took = Math.round(performance.now() - began)
    const left = async () => {
      const { rows } = await stack.pool.query('select count(*)::int as n from messages where sender = $1', [
        attacker.name,
      ])
      return rows[0].n as number
    }
    // Measures the janitor's job too, to its end or for a minute.
    while (performance.now() < until || ((await left()) > 0 && performance.now() < until + 60_000))
      await pause(500)
    return {
      statuses: new Map([[response.status, 1]]),
      remark: `20,000 messages, answered in ${took} ms, ${await left()} left after ${Math.round((performance.now() - began) / 1_000)} s`,
    }
  },

  'H5 uploads': async (stack, attacker, until) => {
    const bytes = await noise(12 * 1024 * 1024)
    let stored = 0
    const result = await flood(3, until, async i => {
      const from = at(stack, attacker, i)
      const response = await drained(await from.sendImages('general', [{ name: 'noise.png', bytes }]))
      if (response.status === 200) stored += bytes.length
      return response.status
    })
    return { ...result, remark: `${Math.round(stored / 1024 / 1024)} MiB stored` }
  },

  'M5 visitors without an account': async (stack, _attacker, until) => {
    const keys = async () => (await stack.redis.keys(`${stack.prefix}*`)).length
    const before = await keys()
    const result = await flood(16, until, async i => {
      const path = i % 4 === 0 ? '/readyz' : '/login'
      // An address of their own, since the sign-ups of the scenarios after this count for the same limit.
      const headers = { 'X-Forwarded-For': '198.51.100.5' }
      return (await drained(await fetch(stack.apis[i % 2]!.url + path, { headers }))).status
    })
    return { ...result, remark: `${(await keys()) - before} keys more in Redis` }
  },

  'M7 reactions': async (stack, attacker, until) => {
    const id = await attacker.send('quiet', 'react to this')
    return flood(4, until, async i => {
      const emoji = String.fromCodePoint(0x1f300 + (i % 250))
      return (await drained(await at(stack, attacker, i).react(id, emoji))).status
    })
  },

  'M8 slow uploads': async (stack, attacker, until) => {
    const sockets = await Promise.all(
      Array.from({ length: 200 }, (_, i) => slowUpload(stack.apis[i % 2]!, attacker.cookie)),
    )
    while (performance.now() < until) {
      for (const socket of sockets) if (!socket.destroyed) socket.write('x'.repeat(100))
      await pause(200)
    }
    const open = sockets.filter(socket => !socket.destroyed).length
    for (const socket of sockets) socket.destroy()
    return { statuses: new Map([['open at the end', open]]) }
  },

  'M10 log-in flood over IPv6': async (stack, _attacker, until) => {
    const owner = await stack.somebody('owner')
    let tries = 0
    let signedIn = 0
    const proper = (async () => {
      while (performance.now() < until) {
        const person = new Person(owner.name, stack.apis[tries++ % 2]!.url)
        const response = await person.fetch('/login', {
          method: 'POST',
          headers: { 'X-Forwarded-For': '192.0.2.7' },
          body: new URLSearchParams({ username: owner.name, password: PASSWORD }),
        })
        if (response.status === 302) signedIn++
        await pause(1_000)
      }
    })()
    const result = await flood(16, until, async i => {
      const response = await fetch(`${stack.apis[i % 2]!.url}/login`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': `2001:db8:0:1::${(i + 1).toString(16)}` },
        body: new URLSearchParams({ username: `nobody-${i}`, password: 'wrong' }),
      })
      return (await drained(response)).status
    })
    await proper
    return { ...result, remark: `somebody else signed in ${signedIn} of ${tries} times` }
  },

  'M12 renames, invitations, marks, settings, streams': async (stack, attacker, until) => {
    const created = await attacker.postJson('/private_channels/create', { name: 'ours', members: ['victim'] })
    const { channel } = (await created.json()) as { channel: string }
    const call = (await (await attacker.postJson('/calls/initiate', { channel })).json()) as {
      call_id: string
    }
    const result = await flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const username = stack.viewers[i % VIEWERS]!.name
      const requests = [
        () => from.rename(channel, `name ${i}`),
        () => from.addMember(channel, username),
        () => from.postJson(`/calls/${call.call_id}/invite`, { username }),
        () => from.markRead('general'),
        () => from.postForm('/settings', { name_color: '#123456' }),
        () => from.fetch('/channel_unreads'),
        () => from.postJson('/dms/close', { channel: 'dm:x:y' }),
      ]
      if (i % 8 === 0) return openAndClose(stack, attacker)
      return (await drained(await requests[i % requests.length]!())).status
    })
    await attacker.postForm(`/calls/${call.call_id}/end`)
    return result
  },

  'M14 signals': async (stack, attacker, until) => {
    const third = await stack.somebody('third')
    const members = ['victim', third.name]
    const created = await attacker.postJson('/private_channels/create', { name: 'call', members })
    const { channel } = (await created.json()) as { channel: string }
    const call = (await (await attacker.postJson('/calls/initiate', { channel })).json()) as {
      call_id: string
    }
    await third.postForm(`/calls/${call.call_id}/accept`)
    await stack.victim.postForm(`/calls/${call.call_id}/accept`)
    const signal = (from: Person, to: string) =>
      from.postJson(`/calls/${call.call_id}/signal`, { to, type: 'ice_candidate', payload: { of: 'bench' } })
    const result = await flood(8, until, async i => {
      return (await drained(await signal(at(stack, attacker, i), third.name))).status
    })
    const honest = await signal(stack.victim, third.name)
    await attacker.postForm(`/calls/${call.call_id}/end`)
    return { ...result, remark: `the victim's own signal: ${honest.status}` }
  },

  'M15 catching up': async (stack, attacker, until) => {
    return flood(12, until, async i => {
      const tab = await openTab(stack.events.url, attacker.cookie, { channel: ARCHIVES[i % 8]! }).catch(
        () => undefined,
      )
      if (!tab) return 'refused'
      await pause(1_500)
      tab.close()
      return 200
    })
  },

  'O1 status, profile, mutes, sections': (stack, attacker, until) =>
    flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const requests = [
        () => from.fetch('/status', { method: 'PUT', ...jsonBody({ text: `status ${i}` }) }),
        () => from.fetch('/status', { method: 'DELETE' }),
        () => from.patchJson('/me', { title: `title ${i}` }),
        () => from.mute('quiet', { muted_for_minutes: i % 2 === 0 ? -1 : 0 }),
        () => from.mute('general', { favourite: i % 2 === 0 }),
        () => from.postJson('/sections', { name: `section ${i}` }),
        () => from.prefer({ share_read: i % 2 === 0 }),
        () => from.postJson('/mark_all_read', {}),
      ]
      return (await drained(await requests[i % requests.length]!())).status
    }),

  'O2 channels made, joined, described, archived': async (stack, attacker, until) => {
    await attacker.postJson('/public_channels', { name: 'ours', id: 'ours' })
    const usernames = stack.viewers.map(({ name }) => name)
    return flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const requests = [
        () => from.postJson('/public_channels', { name: `channel ${i}` }),
        () => from.patchJson('/channel_info/ours', { topic: `topic ${i}`, name: `name ${i}` }),
        () => from.patchJson('/channel_info/ours', { posting: i % 2 === 0 ? 'managers' : 'everyone' }),
        () => from.postForm('/channel_info/ours/archive'),
        () => from.postForm('/channel_info/ours/unarchive'),
        () => from.postForm(`/public_channels/general/${i % 2 === 0 ? 'leave' : 'join'}`),
        () => from.postJson('/public_channels/ours/add', { usernames }),
        () => from.postJson('/public_channels/ours/remove', { username: usernames[i % VIEWERS]! }),
        () => from.fetch(`/channel_info/ours/managers/${usernames[i % VIEWERS]}`, { method: 'PUT' }),
      ]
      return (await drained(await requests[i % requests.length]!())).status
    })
  },

  'O3 administration': async (stack, attacker, until) => {
    await stack.pool.query(`update users set role = 'admin' where username = $1`, [attacker.name])
    return flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const name = stack.viewers[i % VIEWERS]!.name
      const requests = [
        () => from.patchJson(`/admin/people/${name}`, { title: `title ${i}` }),
        () => from.patchJson(`/admin/people/${name}`, { role: 'guest', channels: ['quiet'] }),
        () => from.patchJson(`/admin/people/${name}`, { role: 'member' }),
        () => from.postJson('/admin/people', { username: `made-${i}` }),
        () => from.patchJson('/admin/settings', { mention_guard: 10 + (i % 5) }),
        () => from.postJson('/invites', { channels: ['general'] }),
        () => from.fetch('/admin/audit.csv'),
        () => from.fetch('/admin/people?limit=200'),
        () => from.fetch('/admin/stats'),
        () => from.postJson(`/admin/people/${name}/reset_link`, {}),
      ]
      return (await drained(await requests[i % requests.length]!())).status
    })
  },

  'O4 lists of people and channels': (stack, attacker, until) =>
    flood(8, until, async i => {
      const paths = [
        '/people',
        '/people_changes',
        '/sidebar',
        '/public_channels?sort=members&limit=200',
        '/channel_info/general',
        '/channel_people/general?limit=200',
        '/me',
        '/workspace',
        '/inbox',
        '/groups',
      ]
      return (await drained(await at(stack, attacker, i).fetch(paths[i % paths.length]!))).status
    }),

  'O5 streams with all events': (stack, attacker, until) =>
    flood(12, until, async i => {
      const deltas = [...DELTA_NAMES, ...EXTRA_EVENTS, WITH_EXTRA] as const
      const channel = ARCHIVES[i % 8]!
      const tab = await openTab(stack.events.url, attacker.cookie, { channel, deltas }).catch(() => undefined)
      if (!tab) return 'refused'
      await pause(1_000)
      tab.close()
      return 200
    }),

  'O6 groups and mass mentions, by an administrator': async (stack, attacker, until) => {
    await stack.pool.query(`update users set role = 'admin' where username = $1`, [attacker.name])
    const members = stack.viewers.map(({ name }) => name)
    const handle = `all-${randomUUID().slice(0, 6)}`
    await attacker.postJson('/groups', { handle, name: 'All', members })
    return flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const requests = [
        () => from.postForm('/send/general', { text: `@${handle} and @everyone ${i}` }),
        () => from.postJson('/groups', { handle: `${handle}-${i}`, name: `Group ${i}`, members }),
        () => from.patchJson(`/groups/${handle}`, { name: `Name ${i}` }),
        () => from.patchJson(`/groups/${handle}`, { [i % 2 === 0 ? 'add' : 'remove']: members.slice(0, 50) }),
        () => from.fetch('/admin/channels?sort=members&limit=200'),
        () => from.fetch('/admin/retention?setting=retention_days&value=1'),
        () => from.fetch('/groups'),
      ]
      return (await drained(await requests[i % requests.length]!())).status
    })
  },

  'N1 replies in a followed thread': async (stack, attacker, until) => {
    const root = await stack.victim.send('quiet', 'a thread that everybody follows')
    await Promise.all(
      stack.viewers.map(viewer => viewer.fetch(`/thread/${root}/follow`, { method: 'PUT' }).then(drained)),
    )
    const replies = await flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const requests = [
        () => from.postForm('/send/quiet', { text: `reply ${i}`, reply_to_id: String(root) }),
        () => from.fetch(`/thread/${root}/follow`, { method: i % 2 === 0 ? 'PUT' : 'DELETE' }),
        () => from.postJson(`/thread/${root}/read`, {}),
        () => from.fetch(`/thread/${root}?limit=200`),
        () => from.fetch('/threads?limit=50'),
      ]
      return (await drained(await requests[i % requests.length]!())).status
    })
    return replies
  },

  'N2 pins, saves, reminders, scheduled, forwarded, drafts, edits': async (stack, attacker, until) => {
    const ids: number[] = []
    for (let i = 0; i < 20; i++) ids.push(await attacker.send('quiet', `message ${i}`))
    return flood(8, until, async i => {
      const from = at(stack, attacker, i)
      const id = ids[Math.floor(i / 10) % ids.length]!
      const now = Date.now() / 1_000
      const requests = [
        () => from.fetch(`/pin/${id}`, { method: 'PUT' }),
        () => from.fetch(`/pin/${id}`, { method: 'DELETE' }),
        () => from.putJson(`/saved/${id}`, { remind_in_minutes: 1, note: 'x'.repeat(500) }),
        () => from.patchJson(`/saved/${id}`, { done: i % 2 === 0 }),
        () =>
          from.postJson('/scheduled', {
            channel: 'quiet',
            text: '@everyone later',
            send_ts: Math.ceil(now) + 12,
          }),
        () => from.postJson(`/forward/${id}`, { channel: 'quiet', text: LONG_TEXT.slice(0, 3_000) }),
        () =>
          from.putJson('/drafts/quiet', { text: LONG_TEXT.slice(0, 9_000), thread_id: 0, updated_ts: now }),
        () => from.putJson('/drafts/quiet', { text: `reply ${i}`, thread_id: id, updated_ts: now }),
        () => from.postForm(`/edit/${id}`, { text: `${'x'.repeat(9_000)} ${i}` }),
        () => from.postJson('/mark_unread', { message_ids: ids }),
      ]
      return (await drained(await requests[i % requests.length]!())).status
    })
  },

  'N3 emoji of the workspace': async (stack, attacker, until) => {
    const image = await noise(400 * 1_024)
    return flood(6, until, async i => {
      const from = at(stack, attacker, i)
      if (i % 3 === 2) return (await drained(await from.fetch('/emoji'))).status
      if (i % 3 === 1)
        return (await drained(await from.fetch(`/emoji/e${i - 1}`, { method: 'DELETE' }))).status
      const body = new FormData()
      body.append('name', `e${i}`)
      body.append('image', new File([new Uint8Array(image)], 'e.png'))
      return (await drained(await from.fetch('/emoji', { method: 'POST', body }))).status
    })
  },

  'N4 lists of messages': async (stack, attacker, until) => {
    const id = await attacker.send('quiet', 'one of them')
    return flood(8, until, async i => {
      const paths = [
        '/threads?limit=50',
        '/threads?unread=1',
        '/saved?limit=200',
        '/scheduled?limit=200',
        '/drafts',
        '/pins/archive-1?limit=200',
        '/channel_files/archive-1?limit=200',
        '/channel_days/archive-1?month=2026-11',
        `/message/${id}/edits`,
        `/thread/${id}?limit=200`,
        '/search?q=quietly&limit=50',
        '/search?q=zz',
      ]
      return (await drained(await at(stack, attacker, i).fetch(paths[i % paths.length]!))).status
    })
  },

  ...Object.fromEntries(
    LISTS_OF_TEXTS.map(path => [
      `B3 ${path}`,
      async (stack: Stack, attacker: Person, until: number) => {
        const roots = await fillLists(stack, attacker.name)
        const asked = path.replace('<root>', String(roots[0])).replace('<ids>', roots.join())
        return flood(12, until, async i => (await drained(await at(stack, attacker, i).fetch(asked))).status)
      },
    ]),
  ),

  'C1 @everyone in long texts': (stack, attacker, until) =>
    flood(4, until, i => send(stack, attacker, i, 'general', `@everyone ${'x'.repeat(9_980)}`)),

  'I1 an incoming hook': async (stack, attacker, until) => {
    const made = await attacker.postJson('/hooks_in', { name: 'Flood', channel: await ownChannel(attacker) })
    const { pathname } = new URL(((await made.json()) as { url: string }).url)
    return flood(8, until, async i =>
      postTo(stack, i, pathname, { attachments: [{ title: `post ${i}`, text: 'x'.repeat(2_000) }] }),
    )
  },

  'I2 addresses of hooks that do not exist': (stack, _attacker, until) =>
    flood(8, until, async i =>
      postTo(stack, i, `/hooks/${randomBytes(16).toString('hex')}`, { text: 'guess' }),
    ),

  'I3 tokens that do not exist': (stack, _attacker, until) =>
    flood(8, until, async i => {
      const headers = { Authorization: `Bearer ${newTokenText()}`, 'X-Forwarded-For': ELSEWHERE }
      return (await drained(await fetch(`${stack.apis[i % 2]!.url}/channels`, { headers }))).status
    }),

  'I4 a token that posts': async (stack, attacker, until) => {
    const { token } = await programOf(attacker, { scopes: ['write'] })
    return flood(8, until, async i => {
      const program = new Program(attacker.name, stack.apis[i % 2]!.url, token)
      return (await drained(await program.postForm('/send/general', { text: `post ${i}` }))).status
    })
  },

  'I5 outgoing hooks whose receivers hang': async (stack, attacker, until) => {
    const prompt = await openReceiver((_req, res) => res.end())
    const hanging = await openReceiver(() => {})
    const other = await stack.somebody('other')
    await makeOutgoing(other, prompt.url, ['quiet'])
    for (let i = 0; i < 50; i++) await makeOutgoing(attacker, `${hanging.url}/${i}`, [])
    const channel = await ownChannel(attacker)
    const result = await flood(4, until, i => send(stack, attacker, i, channel, `to the hooks ${i}`))
    await stack.pool.query('update hooks_out set active = false where created_by = any($1)', [
      [attacker.name, other.name],
    ])
    hanging.close()
    prompt.close()
    const delays = await Promise.all(prompt.arrived.map(({ delay }) => delay))
    return {
      ...result,
      remark: `${hanging.arrived.length} requests hang; deliveries of somebody else's hook after ${shown(delays)} ms, ${delays.length} of them`,
    }
  },

  'I6 streams by tokens': async (stack, attacker, until) => {
    const tokens: string[] = []
    for (let i = 0; i < 50; i++) tokens.push((await programOf(attacker, { name: `token ${i}` })).token)
    const tabs: { close(): void }[] = []
    const result = await flood(12, until, async i => {
      const options = { token: tokens[i % tokens.length]!, channel: 'quiet', after: Date.now() / 1_000 }
      const tab = await openTab(stack.events.url, '', options).catch(() => undefined)
      if (tab) tabs.push(tab)
      else await pause(100)
      return tab ? 'opened' : 'refused'
    })
    for (const tab of tabs) tab.close()
    return result
  },
}

/** An address of their own, since the sign-ups of other scenarios count for the same limit. */
const ELSEWHERE = '198.51.100.6'

async function postTo(stack: Stack, i: number, path: string, body: object) {
  const { headers, ...rest } = jsonBody(body)
  const request = { method: 'POST', headers: { ...headers, 'X-Forwarded-For': ELSEWHERE }, ...rest }
  return (await drained(await fetch(stack.apis[i % 2]!.url + path, request as RequestInit))).status
}

async function ownChannel(person: Person): Promise<string> {
  const id = `of-${person.name}`
  const made = await person.postJson('/public_channels', { name: id, id })
  if (made.status !== 201) throw new Error(`channel: ${made.status} ${await made.text()}`)
  return id
}

async function makeOutgoing(person: Person, url: string, channels: string[]) {
  const hook = {
    name: `Of ${person.name}`,
    url,
    events: ['message.created'],
    ...(channels.length > 0 && { channels }),
  }
  const made = await person.postJson('/hooks_out', hook)
  if (made.status !== 201) throw new Error(`hook: ${made.status} ${await made.text()}`)
}

/** Receives deliveries, and notes how long after its message each came. */
async function openReceiver(answer: RequestListener) {
  const arrived: { delay: Promise<number> }[] = []
  const server = createServer((req, res) => {
    arrived.push({ delay: delayOf(req) })
    answer(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function delayOf(req: IncomingMessage) {
  const now = Date.now()
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { ts: number } }
  return now - data.ts * 1_000
}

/** Repeats `request` as fast as possible, `atOnce` at a time, and counts the outcomes. */
async function flood(
  atOnce: number,
  until: number,
  request: (i: number) => Promise<number | string>,
): Promise<Attack> {
  const statuses = new Map<number | string, number>()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        const status = await request(next++).catch(() => 'broken')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  return { statuses }
}

const jsonBody = (fields: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(fields),
})

/** The attacker, alternating between the api processes. */
function at(stack: Stack, person: Person, i: number) {
  const same = new Person(person.name, stack.apis[i % 2]!.url)
  same.cookie = person.cookie
  return same
}

async function send(stack: Stack, person: Person, i: number, channel: string, text: string) {
  return (await drained(await at(stack, person, i).postForm(`/send/${channel}`, { text }))).status
}

async function drained(response: Response) {
  await response.text()
  return response
}

async function openAndClose({ events }: Stack, { cookie }: Person) {
  const abort = new AbortController()
  const response = await fetch(`${events.url}/events?channel=general`, {
    headers: { cookie },
    signal: abort.signal,
  })
  abort.abort()
  return response.status
}

async function pausedRequest({ url }: RunningService, path: string, cookie: string) {
  const socket = await connected(url)
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`)
  return socket
}

async function slowUpload({ url }: RunningService, cookie: string) {
  const socket = await connected(url)
  socket.resume()
  socket.write(
    `POST /send/general HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Length: 15000000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n' +
      'Content-Disposition: form-data; name="files"; filename="a.png"\r\n\r\n',
  )
  return socket
}

async function connected(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Inserts messages directly into the database, in batches. */
async function fill({ pool }: Stack, channel: string, sender: string, count: number, content: string) {
  const rows = Array.from({ length: Math.min(count, 100) }, () => ({ content, filename: null }))
  for (let put = 0; put < count; put += rows.length) {
    await insertMessages(pool, {
      channel,
      sender,
      rows,
      mentions: null,
      replyTo: undefined,
      memberOf: undefined,
      isConfigured: true,
      posting: 'everyone',
      clientId: undefined,
      participants: [],
    })
  }
}

/**
 * Fills the lists of a person with texts of maximum length: 200 drafts and saved messages, 100 scheduled sends; once for
 * all 100 pins of archive-1, and a thread and 100 versions in archive-2. Returns 50 messages, the first its root.
 */
async function fillLists({ pool }: Stack, name: string): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id::integer from messages where channel = 'archive-2' order by ts limit 50`,
  )
  const roots = rows.map(row => row.id)
  const statements: [sql: string, values: unknown[]][] = [
    [
      `insert into drafts (username, channel, thread_id, text, updated_ts)
       select $1, 'general', i, $2, i from generate_series(1, 200) i`,
      [name, LONG_TEXT],
    ],
    [
      `insert into saved (username, message_id, saved_ts)
       select $1, id, 1 from messages where channel = 'archive-1' order by id limit 200`,
      [name],
    ],
    [
      `insert into scheduled (username, channel, text, send_ts, created_ts)
       select $1, 'quiet', $2, extract(epoch from now()) + 86400 + i, 1 from generate_series(1, 100) i`,
      [name, LONG_TEXT],
    ],
    [
      `insert into pins (message_id, channel, pinned_by, pinned_ts)
       select id, channel, 'victim', id from messages where channel = 'archive-1' order by id limit 100
       on conflict do nothing`,
      [],
    ],
    [
      `update messages
          set extra = jsonb_build_object('pinned', jsonb_build_object('by', pinned_by, 'ts', pinned_ts))
         from pins
        where message_id = messages.id and extra is null`,
      [],
    ],
    [
      `update messages set reply_to_id = $1, thread_id = $1
        where channel = 'archive-2' and id > $1 and thread_id is null`,
      [roots[0]],
    ],
    [
      `insert into message_edits (message_id, ts, content)
       select $1, i, $2 from generate_series(1, 100) i
       on conflict do nothing`,
      [roots[0], LONG_TEXT],
    ],
    [
      `insert into thread_follows (username, root_id, channel, following, changed_ts)
       select $1, $2, 'archive-2', true, 1`,
      [name, roots[0]],
    ],
  ]
  for (const [sql, values] of statements) await pool.query(sql, values)
  return roots
}

/** An incompressible PNG of about `bytes` bytes. */
function noise(bytes: number) {
  const side = Math.ceil(Math.sqrt(bytes / 3))
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

type Measurable = RunningService & { inspector: number }

async function startMeasured(name: string, env: object): Promise<Measurable> {
  const inspector = await freePort()
  const service = await startService(name, { ...env, ...inspectedAt(inspector) }, { checked: false })
  return Object.assign(service, { inspector })
}

/** Growth of a process beyond its live memory at the beginning, in MB: of its live memory, and at most. */
interface Growth {
  live: number
  most: number
}

/** Samples memory ten times a second. `collect` notes the live memory; the largest counts. */
async function watchMemory(services: readonly Measurable[]) {
  const collected = () =>
    Promise.all(
      services.map(async ({ pid, inspector }) => (await residentBytes(pid, inspector)) / 1_024 ** 2),
    )
  const resident = ({ pid }: RunningService) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024
  const before = await collected()
  const most = [...before]
  const live = services.map(() => 0)
  const timer = setInterval(() => {
    for (const [i, service] of services.entries()) most[i] = Math.max(most[i]!, resident(service))
  }, 100)
  return {
    async collect() {
      for (const [i, size] of (await collected()).entries()) live[i] = Math.max(live[i]!, size)
    },
    stop(): Growth[] {
      clearInterval(timer)
      return before.map((size, i) => ({
        live: Math.round(live[i]! - size),
        most: Math.round(most[i]! - size),
      }))
    },
  }
}

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const shown = (values: number[]) => (values.length > 0 ? String(Math.round(median(values))) : 'none')

const countsOf = (counts: [number | string, number][]) =>
  counts.map(([status, count]) => `${count} × ${status}`).join(', ') || 'none'

if (parentPort) await work(workerData as Work)
else await main()
