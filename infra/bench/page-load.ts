/**
 * Compares the requests of a page that opens, all at once, with the same requests one after the other. Requests of one
 * person take turns in each api process (services/api/middleware/turns.ts), which must not delay an honest page.
 *
 *   node infra/bench/page-load.ts [requests at once, default 60] [rounds, default 20]
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'

const [count = 60, rounds = 20] = process.argv.slice(2).map(Number)
/** Requests that the client sends when it opens, in turn. */
const PATHS = [
  '/me',
  '/sidebar',
  '/inbox',
  '/people',
  '/preferences',
  '/channel_unreads',
  '/drafts',
  '/groups',
]

const backing = await testBacking()
const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' })
try {
  const ada = await new Person('ada', api.url).signUp()
  for (let i = 0; i < 50; i++) await ada.send('general', `message ${i}`)
  const paths = Array.from({ length: count }, (_, i) => PATHS[i % PATHS.length]!)
  const ask = async (path: string) => {
    const response = await ada.fetch(path)
    await response.arrayBuffer()
    return response.status
  }
  const statuses = new Map<string, number>()
  for (const path of PATHS) statuses.set(path, await ask(path))
  console.log([...statuses].map(([path, status]) => `${path} ${status}`).join(', '))
  const atOnce: number[] = []
  const inTurn: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Time in advance is there again, as after a while without requests.
    await pause(4_000)
    atOnce.push(await took(() => Promise.all(paths.map(ask))))
    await pause(4_000)
    inTurn.push(
      await took(async () => {
        for (const path of paths) await ask(path)
      }),
    )
  }
  const [parallel, serial] = [median(atOnce), median(inTurn)]
  console.log(
    `${count} requests: at once ${parallel.toFixed(0)} ms (longest ${Math.max(...atOnce).toFixed(0)}), one after the other ` +
      `${serial.toFixed(0)} ms, ratio ${(parallel / serial).toFixed(2)}`,
  )
} finally {
  await api.stop()
  await backing.drop()
  await closeRunBacking()
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
