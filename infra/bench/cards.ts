/**
 * What reading a page for its card costs, beside open-graph-scraper on the same pages; and how many cards a second one api
 * process answers that are in the cache.
 *
 *   node infra/bench/cards.ts [seconds per round, default 1]
 *
 * Both readers are given text and open no connection; rounds alternate. The pages are those of the tests
 * (`services/previews/fixtures`) and one of 512 KiB, which is the most that the worker reads. The reference of the cache is
 * an answer that needs the session and nothing else.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import ogs from 'open-graph-scraper'
import { ROOT } from '#shared/kernel/config.ts'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openGraph } from '../../services/previews/open-graph.ts'
import { pageText } from '../../services/previews/page-text.ts'

const SECONDS = Number(process.argv[2] ?? 1)
const ROUNDS = 3
const CONNECTIONS = 10
const FIXTURES = join(ROOT, 'services/previews/fixtures')
const ADDRESS = new URL('https://courier.example/2026/11/weir')

const pages = new Map(
  readdirSync(FIXTURES)
    .filter(name => name.endsWith('.html'))
    .map(name => [name, pageText(readFileSync(join(FIXTURES, name)), undefined)]),
)
const news = pages.get('news.html')!
const paragraph = /<p class="text".*?<\/p>\n/s.exec(news)![0]
pages.set('news.html, 512 KiB', news.replace('</article>', paragraph.repeat(2_000)).slice(0, 512 * 1_024))

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const ratios: number[] = []
console.log('page                          KB      ours µs   open-graph-scraper µs    ratio')
for (const [name, html] of pages) {
  const ours = () => openGraph(html, ADDRESS)
  const theirs = () => ogs({ html })
  await agree(name, html)
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  await timed(ours, SECONDS / 2)
  await timed(theirs, SECONDS / 2)
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await timed(ours, SECONDS))
    times.theirs.push(await timed(theirs, SECONDS))
  }
  const [us, them] = [median(times.ours), median(times.theirs)]
  ratios.push(us / them)
  console.log(
    `${name.padEnd(26)}${(html.length / 1_024).toFixed(0).padStart(6)}${us.toFixed(0).padStart(13)}` +
      `${them.toFixed(0).padStart(24)}${(us / them).toFixed(4).padStart(9)}`,
  )
}
console.log(`median ratio ${median(ratios).toFixed(4)}`)
await cacheHits(news)

async function cacheHits(page: string) {
  const web = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  const backing = await testBacking()
  backing.settings({ rate_limit_enabled: false, preview_allow: [host] })
  const previews = await startService('previews', { ...backing.env, LOG_LEVEL: 'error' })
  const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' })
  const ada = await new Person('ada', api.url).signUp()

  const hit = () => ada.get<{ title?: string }>(`/link_preview?url=http://${host}/`)
  const session = () => ada.get('/client_config')
  const began = performance.now()
  const { title } = await hit()
  if (title === undefined) throw new Error('the page has no card')
  console.log(`\na page of ${page.length >> 10} KB to its card  ${(performance.now() - began).toFixed(0)} ms`)

  const hits: Rate[] = []
  const sessions: Rate[] = []
  await rate(hit, api.pid, SECONDS)
  await rate(session, api.pid, SECONDS)
  for (let round = 0; round < ROUNDS * 2; round++) {
    hits.push(await rate(hit, api.pid, SECONDS))
    sessions.push(await rate(session, api.pid, SECONDS))
  }
  const of = (rates: Rate[], what: keyof Rate) => median(rates.map(rate => rate[what]))
  for (const [name, rates] of [
    ['from the cache', hits],
    ['session alone', sessions],
  ] as const) {
    const [each, cpu] = [of(rates, 'perSecond'), of(rates, 'cpu')]
    console.log(
      `${name.padEnd(20)}${each.toFixed(0).padStart(6)} /s${cpu.toFixed(2).padStart(8)} ms CPU of the api`,
    )
  }
  console.log(
    `ratio of answers ${(of(hits, 'perSecond') / of(sessions, 'perSecond')).toFixed(2)}, ` +
      `of CPU ${(of(hits, 'cpu') / of(sessions, 'cpu')).toFixed(2)}`,
  )

  web.close()
  web.closeAllConnections()
  await api.stop()
  await previews.stop()
  await backing.drop()
  await closeRunBacking()
}

interface Rate {
  perSecond: number
  /** Milliseconds of the server for one call: the client shares the two cores with it. */
  cpu: number
}

/** With as many at once as there are connections. */
async function rate(call: () => Promise<unknown>, pid: number, seconds: number): Promise<Rate> {
  const [began, cpu] = [performance.now(), cpuSeconds(pid)]
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
  const took = (performance.now() - began) / 1_000
  return { perSecond: done / took, cpu: ((cpuSeconds(pid) - cpu) * 1_000) / done }
}

/** User and system time of a process; the kernel counts in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** A card that is made faster because it is another one proves nothing: both must find a title. */
async function agree(name: string, html: string) {
  const { result } = await ogs({ html })
  const card = openGraph(html, ADDRESS)
  const title = result.ogTitle?.trim().replace(/\s+/g, ' ')
  if (card?.title !== title) console.log(`${name}: ours is titled ${card?.title}, theirs ${title}`)
}

/** Microseconds a call. */
async function timed(call: () => unknown, seconds: number) {
  const began = performance.now()
  const until = began + seconds * 1_000
  let calls = 0
  while (performance.now() < until) {
    await call()
    calls++
  }
  return ((performance.now() - began) * 1_000) / calls
}
