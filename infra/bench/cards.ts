/**
 * What reading a page for its card costs, beside open-graph-scraper on the same pages.
 *
 *   node infra/bench/cards.ts [seconds per round, default 1]
 *
 * Both are given text and open no connection; rounds alternate. The pages are those of the tests (`services/previews/fixtures`)
 * and one of 512 KiB, which is the most that the worker reads.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ogs from 'open-graph-scraper'
import { ROOT } from '#shared/kernel/config.ts'
import { openGraph } from '../../services/previews/open-graph.ts'
import { pageText } from '../../services/previews/page-text.ts'

const SECONDS = Number(process.argv[2] ?? 1)
const ROUNDS = 3
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
