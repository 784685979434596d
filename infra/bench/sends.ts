/**
 * Measures sends per second of an api process, compared with the bare statement on the same database.
 *
 *   node infra/bench/sends.ts [seconds per round, default 5] [rounds, default 3]
 *
 * Rounds alternate, so that other load falls on all; of the last kinds, one has ten outgoing hooks (interface 19.5) for every
 * event of messages, one sends with a token. The reference is the same SQL over the same number of connections
 * in a loop: the difference is HTTP, session, access, mention parsing and the notice. The processor time a send, of the
 * api process and of PostgreSQL, varies less than the rates on a shared machine.
 */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { insertMessages } from '#shared/posting/insert-messages.ts'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const CONNECTIONS = 10
const ROUNDS = Number(process.argv[3] ?? 3)
/** Unit of /proc/<pid>/stat. */
const CLOCK_TICK: Milliseconds = 10

const backing = await testBacking()
const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' }, { checked: false })
const ada = await new Person('ada', api.url).signUp()
const pool = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: CONNECTIONS })

const bare = () =>
  insertMessages(pool, {
    channel: 'general',
    sender: 'ada',
    rows: [{ content: 'a message of the usual length, said in passing', filename: null }],
    mentions: null,
    replyTo: undefined,
    memberOf: undefined,
    isConfigured: true,
    posting: 'everyone',
    clientId: undefined,
    participants: [],
  })
const throughApi = () => ada.send('general', 'a message of the usual length, said in passing')
const program = await programOf(ada, { scopes: ['write'] })
const withToken = () => program.send('general', 'a message of the usual length, said in passing')

await pool.query(
  `insert into hooks_out (name, url, format, secret_enc, verify_token_enc, bot, events, created_ts, active)
   select 'hook ' || n, 'https://hooks.example.org/', 'standard', '', '', 'ada',
          '{message.created,message.edited,message.deleted}', 0, false
     from generate_series(1, 10) as n`,
)

const KINDS = ['api', 'hooks', 'token'] as const
type Kind = (typeof KINDS)[number]
const rates: Record<Kind | 'bare', number[]> = { bare: [], api: [], hooks: [], token: [] }
const costs: Record<Kind, Cost[]> = { api: [], hooks: [], token: [] }
await rate(bare, 1)
await rate(throughApi, 1)
await rate(withToken, 1)
for (let round = 0; round < ROUNDS; round++) {
  rates.bare.push(await rate(bare, SECONDS))
  await measure('api', throughApi)
  await pool.query('update hooks_out set active = true')
  await measure('hooks', throughApi)
  await pool.query('update hooks_out set active = false')
  await measure('token', withToken)
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
console.log(
  `bare statement  ${rates.bare.map(Math.round).join(', ')} /s   median ${Math.round(median(rates.bare))}`,
)
console.log(
  `through the api ${rates.api.map(Math.round).join(', ')} /s   median ${Math.round(median(rates.api))}`,
)
console.log(
  `ten hooks       ${rates.hooks.map(Math.round).join(', ')} /s   median ${Math.round(median(rates.hooks))}`,
)
console.log(
  `with a token    ${rates.token.map(Math.round).join(', ')} /s   median ${Math.round(median(rates.token))}`,
)
console.log(`ratio           ${(median(rates.api) / median(rates.bare)).toFixed(2)} of the bare statement`)
/** Other load falls on both halves of a round. */
const within = (kind: Kind) => median(rates[kind].map((sends, round) => sends / rates.api[round]!)).toFixed(2)
console.log(`with hooks      ${within('hooks')} of those without, in the median of the rounds`)
console.log(`with a token    ${within('token')} of those with a session, in the median of the rounds`)
const cost = (kind: Kind, name: keyof Cost) => `${median(costs[kind].map(one => one[name])).toFixed(2)} ms`
for (const kind of KINDS)
  console.log(
    `processor time of a send (${kind}): api ${cost(kind, 'api')}, PostgreSQL ${cost(kind, 'postgres')}`,
  )

await pool.end()
await api.stop()
await backing.drop()
await closeRunBacking()

interface Cost {
  api: Milliseconds
  postgres: Milliseconds
}

async function measure(kind: Kind, send: () => Promise<unknown>) {
  const before = processorTimes()
  const sends = await rate(send, SECONDS)
  rates[kind].push(sends)
  const after = processorTimes()
  const aSend = (name: keyof Cost) => (after[name] - before[name]) / (sends * SECONDS)
  costs[kind].push({ api: aSend('api'), postgres: aSend('postgres') })
}

/** Processor time used so far by the api process and by all PostgreSQL processes of the machine. */
function processorTimes(): Cost {
  const times: Cost = { api: 0, postgres: 0 }
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const [, command, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
      const fields = rest!.split(' ')
      const used = (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK
      if (Number(pid) === api.pid) times.api += used
      else if (command === 'postgres') times.postgres += used
    } catch {
      // The process ended meanwhile.
    }
  }
  return times
}

/** Calls per second, over all connections at once. */
async function rate(call: () => Promise<unknown>, seconds: number) {
  const began = performance.now()
  const until = began + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        await call()
        done++
      }
    }),
  )
  return done / ((performance.now() - began) / 1_000)
}
