import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type Histories, startHistories } from './history.fixture.ts'

const LONG = 6_000
const STEPS = 25
/** Each walk has another seed; a higher number finds rarer failures. */
const WALKS = Number(process.env['HISTORY_WALKS'] ?? 1)
/** Same value as in scroll-anchor.ts. */
const END_WITHIN = 48

/** Returns the same numbers for the same seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('random changes around long histories', function () {
  this.timeout(240_000)
  this.bail(true)
  let histories: Histories

  before(async () => {
    histories = await startHistories([{ channel: 'long', count: LONG, read: new Map([['ada', LONG]]) }])
    await histories.goTo('long')
  })
  after(() => histories?.stack.close())

  /** HISTORY_SEED repeats a walk, but not its timing. */
  const walk = async () => {
    const { ada, bob, page, anchor, frames, fromEnd, mounted } = histories
    const seed = Number(process.env['HISTORY_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    const random = randomFrom(seed)
    const between = (from: number, to: number) => Math.floor(from + random() * (to - from))
    const one = <T>(list: T[]) => list[between(0, list.length)]!
    await page.mouse.move(between(0, 1_000), between(0, 700))
    const said: number[] = []
    for (let i = 0; i < 5; i++) said.push(await bob.send('long', `bob begins ${i}`))

    const setInFrame = (name: string, value: string) =>
      page.evaluate(`requestAnimationFrame(() => { document.documentElement.dataset.${name} = '${value}' })`)
    const mountedIds = () => page.evaluate<string[]>('rows().map(row => row.dataset.messageId)')
    const happenings: Record<string, () => Promise<unknown>> = {
      async 'a message comes'() {
        const id = await bob.send('long', `bob says ${'something '.repeat(between(1, 60))}`)
        said.push(id)
      },
      async 'a reaction'() {
        const id = Number(one(await mountedIds()))
        await bob.react(id, one(['tada', '+1', 'heart']))
      },
      'an edit': () => bob.edit(one(said), `bob meant ${'something else '.repeat(between(1, 60))}`),
      // Like a card or a picture of unknown size.
      'something in a row grows': () =>
        page.evaluate(`new Promise(done => requestAnimationFrame(() => {
          const all = rows(), row = all[Math.floor(${random()} * all.length)]
          const box = document.createElement('div')
          box.style.blockSize = '${between(20, 400)}px'
          row.querySelector('.message-row-body').append(box)
          done()
        }))`),
      async 'the window changes'() {
        const size = { width: between(700, 1500), height: between(500, 1000) }
        await page.setViewportSize(size)
        // Playwright returns before the page has the new size.
        await eventually(async () =>
          expect(await page.evaluate('({ width: innerWidth, height: innerHeight })')).to.deep.equal(size),
        )
      },
      'the text changes': () => setInFrame('size', one(['s', 'm', 'l'])),
      'the density changes': () => setInFrame('density', one(['compact', 'comfortable'])),
      async 'rows are loaded'() {
        const height = await page.evaluate<number>('list().scrollHeight')
        await page.evaluate('list().dispatchEvent(new Event("scroll"))')
        await frames(5)
        return height
      },
      async nothing() {
        await frames(10)
      },
    }
    const places: (() => string)[] = [
      () => `list().scrollTop += ${between(-3_000, 3_000)}`,
      () => `list().scrollTop += ${between(-300, 300)}`,
      () => `list().scrollTop = list().scrollHeight * ${random()}`,
      () => `list().scrollTop = ${between(0, 400)}`,
      () => `list().scrollTop = list().scrollHeight`,
    ]
    const story: string[] = []
    try {
      for (let step = 0; step < STEPS; step++) {
        const place = one(places)()
        await page.evaluate(place)
        await frames()
        // Rows above the first loaded row are still to come, and are then at the top.
        await eventually(async () =>
          expect(
            await page.evaluate(
              `list().scrollTop > 200 || list().querySelector('[data-key="start"]') !== null`,
            ),
          ).to.equal(true),
        )
        // A jump may lead to a place without mounted rows.
        await eventually(async () => expect(await page.evaluate('hasAnchor()')).to.equal(true))
        // This near the end the list stays at the end, or goes there with the next row, if it was scrolled there.
        const fromEndBefore = await fromEnd()
        const isEnd = fromEndBefore <= END_WITHIN
        const before = await anchor()
        const what = one(Object.keys(happenings))
        story.push(`${place}; ${what}${isEnd ? ' (at the end)' : ''}`)
        await page.evaluate(`void watch(${JSON.stringify(before)})`)
        await happenings[what]!()
        await frames(6)
        const { worst, least } = await page.evaluate<{ worst: number; least: number }>('unwatch()')
        if (
          isEnd &&
          ((await fromEnd()) <= Math.max(1, fromEndBefore) || (await page.locator('.to-latest').isVisible()))
        )
          continue
        const moved = await page.evaluate<number>(`movedSince(${JSON.stringify(before)})`)
        // A growing window or a shrinking text below may leave too little below: then the end is aligned and everything
        // moves down.
        if (moved > 0 && least <= 1) continue
        if (!isEnd) expect(worst, 'in between').to.be.at.most(1)
        expect(Math.abs(moved), 'afterwards').to.be.at.most(1)
        expect(await mounted()).to.be.at.most(210)
      }
    } catch (error) {
      console.log(`      HISTORY_SEED=${seed}\n      ${story.join('\n      ')}`)
      throw error
    }
    console.log(`      seed ${seed}`)
    expect(ada.complaints).to.deep.equal([])
  }
  for (let nth = 1; nth <= WALKS; nth++) it('do not move what is read, whatever happens around it', walk)
})
