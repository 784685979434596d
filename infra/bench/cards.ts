/**
 * Measures the cost of parsing a page for its card, compared with open-graph-scraper on the same pages; the latency of
 * a card that is not cached, compared with a plain fetch of the page; and cached cards per second of an api process.
 *
 *   node infra/bench/cards.ts [seconds per round, default 1]
 *
 * Both parsers get text and open no connection; rounds alternate. The pages are those of the tests
 * (`services/previews/cards/fixtures`) and one of 512 KiB, the maximum that the worker reads. The reference for the cache is
 * a request that needs only the session.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import ogs from 'open-graph-scraper'
import sharp from 'sharp'
import { ROOT } from '#shared/runtime/config.ts'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openGraph } from '../../services/previews/cards/open-graph.ts'
import { pageText } from '../../services/previews/cards/page-text.ts'

const SECONDS = Number(process.argv[2] ?? 1)
const ROUNDS = 3
const CONNECTIONS = 10
const LINKS = 100
const ANSWERS_AFTER = 50
const PICTURE = await sharp({
  create: {
    width: 1200,
    height: 630,
    channels: 3,
    background: 'teal',
    noise: { type: 'gaussian', sigma: 20 },
  },
})
  .png()
  .toBuffer()
const FIXTURES = join(ROOT, 'services/previews/cards/fixtures')
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
await throughTheProcesses(news.replace(/<meta property="og:image.*>/g, ''))

/** Starts a slow site, an api with a worker, and signs a person up. */
async function throughTheProcesses(page: string) {
  const web = createServer(async (request, response) => {
    await pause(ANSWERS_AFTER)
    const isPicture = request.url!.endsWith('.png')
    response.writeHead(200, { 'content-type': isPicture ? 'image/png' : 'text/html' })
    response.end(isPicture ? PICTURE : request.url!.startsWith('/pictured') ? pictured(request.url!) : page)
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  const backing = await testBacking()
  backing.settings({ rate_limit_enabled: false, preview_allow: [host] })
  const previews = await startService('previews', { ...backing.env, LOG_LEVEL: 'error' })
  const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' })
  const ada = await new Person('ada', api.url).signUp()

  await coldLinks(ada, `http://${host}`, `${page.length >> 10} KB`)
  await cacheHits(ada, `http://${host}/`, api.pid)

  web.close()
  web.closeAllConnections()
  await api.stop()
  await previews.stop()
  await backing.drop()
  await closeRunBacking()
}

/** From the request to the response with the card; alternates with a plain fetch. Every request has a new address. */
async function coldLinks(ada: Person, site: string, size: string) {
  console.log(
    `\n${LINKS} links that nobody has seen, at a site that answers after ${ANSWERS_AFTER} ms` +
      '           ms: p50    p95    max',
  )
  const wait = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const card = async (url: string) => {
    const { title } = await ada.get<{ title?: string }>(`/link_preview?url=${encodeURIComponent(url)}`)
    if (title === undefined) throw new Error(`no card of ${url}`)
  }
  const plain = async (url: string) => void (await (await fetch(url)).text())
  for (const [kind, pathOf] of [
    [`a page of ${size}`, (i: number) => `/page-${i}`],
    ['a page and its picture', (i: number) => `/pictured-${i}`],
  ] as const) {
    const times: Record<'plain fetch of the page' | 'its card', number[]> = {
      'plain fetch of the page': [],
      'its card': [],
    }
    for (let i = -3; i < LINKS; i++) {
      const both = [
        await wait(() => plain(`${site}${pathOf(i)}?plain`)),
        await wait(() => card(site + pathOf(i))),
      ]
      // Warm-up.
      if (i < 0) continue
      times['plain fetch of the page'].push(both[0]!)
      times['its card'].push(both[1]!)
    }
    for (const [what, all] of Object.entries(times)) report(`${kind}: ${what}`, all)
  }
  const crowd = await Promise.all(
    Array.from({ length: 3 }, (_, i) => wait(() => card(`${site}/at-once-${i}`))),
  )
  report('three links of one message at once: their cards', crowd)
}

function report(what: string, values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  const columns = [at(0.5), at(0.95), sorted.at(-1)!].map(value => value.toFixed(0).padStart(7))
  console.log(`  ${what.padEnd(72)}${columns.join('')}`)
}

function pictured(path: string) {
  return `<title>${path}</title><meta property="og:image" content="${path}.png">`
}

async function cacheHits(ada: Person, url: string, api: number) {
  const hit = () => ada.get<{ title?: string }>(`/link_preview?url=${url}`)
  const session = () => ada.get('/client_config')
  if ((await hit()).title === undefined) throw new Error('the page has no card')
  console.log('')

  const hits: Rate[] = []
  const sessions: Rate[] = []
  await rate(hit, api, SECONDS)
  await rate(session, api, SECONDS)
  for (let round = 0; round < ROUNDS * 2; round++) {
    hits.push(await rate(hit, api, SECONDS))
    sessions.push(await rate(session, api, SECONDS))
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
}

interface Rate {
  perSecond: number
  /** CPU milliseconds of the server per call: the client shares the two cores with it. */
  cpu: number
}

/** Calls per second over all connections at once. */
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

/** User and system time of a process, s; the kernel counts in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Reports pages whose title the two parsers disagree on. */
async function agree(name: string, html: string) {
  const { result } = await ogs({ html })
  const card = openGraph(html, ADDRESS)
  const title = result.ogTitle?.trim().replace(/\s+/g, ' ')
  if (card?.title !== title) console.log(`${name}: ours is titled ${card?.title}, theirs ${title}`)
}

/** Microseconds per call. */
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
