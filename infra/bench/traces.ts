/**
 * Measures what traces cost: the processor time of an api process for a send, without a collector and with one.
 *
 *   node infra/bench/traces.ts [sends per round, default 600]
 *
 * Rounds of all processes alternate over the same stores, so that other load falls on each of them. The collector is in
 * this process and not counted.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'

const SENDS = Number(process.argv[2] ?? 600)
const AT_ONCE = 10
const ROUNDS = 7
const MICROSECONDS_PER_TICK = 10_000

let received = 0
const collector = createServer(async (req, res) => {
  for await (const chunk of req) received += (chunk as Buffer).length
  res.setHeader('Content-Type', 'application/json').end('{}')
})
await new Promise<void>(done => collector.listen(0, '127.0.0.1', done))
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const backing = await testBacking()
const kinds = {
  'without a collector': {},
  'a tenth of the traces': { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0.1' },
  'all traces': { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
}
interface Measured {
  kind: string
  api: RunningService
  ada: Person
  costs: number[]
  bytes: number[]
}
const measured: Measured[] = []
let cookie = ''
for (const [kind, env] of Object.entries(kinds)) {
  const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error', ...env })
  const ada = new Person('ada', api.url)
  if (cookie === '') cookie = (await ada.signUp()).cookie
  ada.cookie = cookie
  measured.push({ kind, api, ada, costs: [], bytes: [] })
}

for (const { ada } of measured) await sends(ada)
for (let round = 0; round < ROUNDS; round++) {
  for (const { api, ada, costs, bytes } of measured) {
    const [time, before] = [processorTime(api.pid), received]
    await sends(ada)
    // Spans wait for five seconds at most before they are sent.
    await new Promise(resolve => setTimeout(resolve, 6_000))
    costs.push((processorTime(api.pid) - time) / SENDS)
    bytes.push((received - before) / SENDS)
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const [reference] = measured
for (const { kind, costs, bytes } of measured) {
  const ratios = costs.map((cost, round) => cost / reference!.costs[round]!)
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  console.log(
    `${kind.padEnd(22)} ${(median(costs) / 1000).toFixed(2)} ms of processor time a send, ` +
      `× ${median(ratios).toFixed(2)} (${spread}), ${Math.round(median(bytes))} bytes to the collector`,
  )
}

await Promise.all(measured.map(({ api }) => api.stop()))
collector.closeAllConnections()
collector.close()
await backing.drop()
await closeRunBacking()

async function sends(ada: Person) {
  let left = SENDS
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await ada.send('general', 'a message of the usual length, said in passing')
    }),
  )
}

/** Used so far, in microseconds. */
function processorTime(pid: number): number {
  const [, rest] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
  const fields = rest!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}
