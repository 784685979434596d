/**
 * Threads of a person who follows 5,000 of them, in an office of 2,000 people: their lists and pages beside a page of the
 * channel, and a reply that 2,000 people follow beside a message that is none.
 *
 *   node infra/bench/threads.ts [requests of each kind, default 100]
 */
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'

const REQUESTS = Number(process.argv[2] ?? 100)
const PEOPLE = 2_000
const THREADS = 5_000
const REPLIES = 10
/** Replies of the longest thread, which all people follow. */
const LONGEST = 10_000
const BEGIN = 1_795_000_000

const backing = await testBacking()
const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' })
try {
  const ada = await new Person('ada', api.url).signUp()
  const bob = await new Person('bob', api.url).signUp()
  const root = await ada.send('general', 'the longest thread')
  await backing.admin(seed(root))
  await backing.admin('vacuum analyze')
  const get = (path: string) => () => read(ada, path)
  const older = `/messages/general?extra=1&limit=50&before=${BEGIN + 40_000}`
  const kinds: [name: string, work: () => Promise<unknown>, reference?: string][] = [
    ['page of the channel', get(older)],
    ['longest thread', get(`/thread/${root}`), 'page of the channel'],
    ['its older page', get(`/thread/${root}?before=${await middleOf(ada, root)}`), 'page of the channel'],
    ['short thread', get(`/thread/${root + 1}`), 'page of the channel'],
    ['50 followed threads', get('/threads'), 'page of the channel'],
    ['50 unread ones', get('/threads?unread=1'), 'page of the channel'],
    ['message', () => bob.send('general', 'a message of the usual length')],
    [
      'reply that all follow',
      () => bob.send('general', 'a reply of the usual length', { reply_to_id: String(root) }),
      'message',
    ],
  ]
  const medians = new Map<string, number>()
  console.log('| request | p50 ms | p99 ms | × |\n| --- | --- | --- | --- |')
  for (const [name, work, reference] of kinds) {
    const times = await timesOf(work)
    const median = times[Math.floor(times.length / 2)]!
    medians.set(name, median)
    const ratio = reference ? `${(median / medians.get(reference)!).toFixed(1)} ${reference}` : ''
    console.log(
      `| ${name} | ${median.toFixed(1)} | ${times[Math.floor(times.length * 0.99)]!.toFixed(1)} | ${ratio} |`,
    )
  }
  const began = performance.now()
  await ada.postJson('/threads/read', { until: Date.now() / 1_000 })
  console.log(`POST /threads/read, 500 threads: ${(performance.now() - began).toFixed(0)} ms`)
} finally {
  await api.stop()
  await backing.drop()
  await closeRunBacking()
}

/** Threads of ten unread replies each, and the longest. The channel's own counters stay behind, which nobody reads here. */
function seed(root: number): string {
  const first = root + 1
  const rows = THREADS * (REPLIES + 1)
  return `
    insert into users (username, password_hash, created_ts)
    select 'u' || i, 'x', 0 from generate_series(1, ${PEOPLE}) i;
    insert into messages (id, channel, ord, sender, content, ts, reply_to_id, thread_id)
    overriding system value
    select ${first} + i, 'general', 1000 + i, 'u' || (1 + i % ${PEOPLE}), 'a message of the usual length ' || i, ${BEGIN} + i,
           case when i >= ${THREADS} then ${first} + i % ${THREADS} end,
           case when i >= ${THREADS} then ${first} + i % ${THREADS} end
      from generate_series(0, ${rows - 1}) i;
    insert into messages (id, channel, ord, sender, content, ts, reply_to_id, thread_id)
    overriding system value
    select ${first + rows} + i, 'general', ${1_000 + rows} + i, 'u' || (1 + i % ${PEOPLE}), 'a reply ' || i,
           ${BEGIN + rows} + i, ${root}, ${root}
      from generate_series(0, ${LONGEST - 1}) i;
    select setval(pg_get_serial_sequence('messages', 'id'), ${first + rows + LONGEST});
    update channels set message_count = ${2_000 + rows + LONGEST}, clock_us = greatest(clock_us, ${BEGIN + rows + LONGEST}::bigint * 1000000),
           newest_ts = ${BEGIN + rows + LONGEST} where id = 'general';
    delete from thread_follows where username = 'ada';
    insert into thread_follows (username, root_id, channel, following, changed_ts)
    select 'ada', id, 'general', true, ts from messages where id >= ${first} and id < ${first + THREADS} - 1;
    insert into thread_follows (username, root_id, channel, following, changed_ts)
    select username, ${root}, 'general', true, 0 from users where username <> 'bob' on conflict do nothing;
    delete from read_watermarks where username = 'ada';`
}

async function middleOf(person: Person, root: number): Promise<number> {
  const { rows } = (await (await person.fetch(`/thread/${root}`)).json()) as { rows: { id: number }[] }
  return rows[0]!.id - LONGEST / 2
}

async function read(person: Person, path: string): Promise<void> {
  const response = await person.fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** Milliseconds, ascending. */
async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}
