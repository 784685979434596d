import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { ReadReceiptsPayload } from '#shared/domain/payloads.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { seedHistories } from '#shared/test-kit/long-history.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'

const LONG = 6_000
const BEHIND = 20_000
const READ = 10_000
/** Makes the first of the newest sixty rows continue a group of its author. */
const GROUPED = 300
const STEPS = 25
/** Each walk has another seed; a higher number finds rarer failures. */
const WALKS = Number(process.env['HISTORY_WALKS'] ?? 1)
/** Same value as in scroll-anchor.ts. */
const END_WITHIN = 48

/** The row at the top of the viewport, and the offsets of the row and its text. */
interface Anchor {
  id: string
  text: string
  offset: number
  textOffset: number
}

/**
 * Runs in the page: the row at the top, the offset of a row, and a watch that records after every frame how far a row
 * has moved since. Measured when the task of a frame is over: sizes are corrected after the animation frames and before
 * the paint.
 */
const IN_PAGE = `
  globalThis.list = () => document.querySelector('#messages')
  globalThis.rows = () => [...list().querySelectorAll('article[data-message-id]')]
  globalThis.offsetOf = row => row.getBoundingClientRect().top - list().getBoundingClientRect().top
  globalThis.rowOf = id => rows().find(row => row.dataset.messageId === id)
  globalThis.windowSize = () => innerWidth + ' ' + innerHeight
  globalThis.frames = async count => {
    for (let i = 0; i < count; i++)
      await new Promise(done => requestAnimationFrame(() => {
        globalThis.sizeInFrame = windowSize()
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = done
        port2.postMessage(0)
      }))
  }
  globalThis.textOffsetOf = row => offsetOf(row.querySelector('.message-text') ?? row)
  // Fractional: a row that ends just above the edge is not held in place.
  globalThis.atTop = () => rows().find(row => row.getBoundingClientRect().bottom > list().getBoundingClientRect().top)
  // A row kept for its focus may be mounted far below.
  globalThis.hasAnchor = () => {
    const row = atTop()
    return row !== undefined && offsetOf(row) < list().clientHeight
  }
  globalThis.anchor = () => {
    const row = atTop()
    const text = row.querySelector('.message-text')?.textContent ?? ''
    return { id: row.dataset.messageId, offset: offsetOf(row), textOffset: textOffsetOf(row), text }
  }
  // The row keeps its place, or its text does when the row loses its header to an earlier row of the same author.
  globalThis.movedSince = ({ id, offset, textOffset }) => {
    const row = rowOf(id)
    if (!row) return Infinity
    const moved = [offsetOf(row) - offset, textOffsetOf(row) - textOffset]
    return Math.abs(moved[0]) < Math.abs(moved[1]) ? moved[0] : moved[1]
  }
  globalThis.fromEnd = () => list().scrollHeight - list().scrollTop - list().clientHeight
  globalThis.watch = async held => {
    const mine = globalThis.watching = { worst: 0, least: Infinity }
    while (globalThis.watching === mine) {
      await frames(1)
      // The window was resized after this frame, and is painted with the next one.
      if (sizeInFrame !== windowSize()) continue
      mine.worst = Math.max(mine.worst, Math.abs(movedSince(held)))
      mine.least = Math.min(mine.least, fromEnd())
    }
  }
  globalThis.unwatch = async () => {
    await frames(3)
    const { watching } = globalThis
    globalThis.watching = undefined
    return watching
  }
`

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

describe('long histories in the browser', function () {
  this.timeout(120_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: Person
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'long', 'behind', 'grouped'] } })
    bob = await stack.person('bob')
    ada = await stack.user('ada')
    page = ada.page
    await page.addInitScript(IN_PAGE)
    await ada.signUp(PASSWORD)
    await seedHistories(stack.backing.env.DATABASE_URL, [
      { channel: 'long', count: LONG, read: new Map([['ada', LONG]]) },
      { channel: 'behind', count: BEHIND, read: new Map([['ada', READ]]) },
      { channel: 'grouped', count: GROUPED, read: new Map([['ada', GROUPED]]) },
    ])
    await page.reload()
  })
  after(() => stack?.close())

  const anchor = () => page.evaluate<Anchor>('anchor()')
  const frames = (count = 3) => page.evaluate(`frames(${count})`)
  const mounted = () => page.evaluate<number>('list().querySelectorAll("article").length')
  const fromEnd = () => page.evaluate<number>('fromEnd()')
  const goTo = async (channel: string) => {
    await page.evaluate(`location.hash = '#/c/${channel}'`)
    await page.locator('h1', { hasText: channel }).waitFor()
    await page.locator('#messages article').first().waitFor()
    await frames()
  }
  const mark = async () => (await bob.get<ReadReceiptsPayload>('/read_receipts/behind'))['ada']
  const latest = () => page.locator('.to-latest')
  const newLine = () => page.locator('#messages .new-messages-line')
  const number = (text: string) => Number(/#(\d+)/.exec(text)?.[1])

  it('open at the first unread message, 96 px below the top, however long ago that was', async () => {
    const before = await mark()
    await goTo('behind')
    await newLine().waitFor()
    expect(
      await page.evaluate('offsetOf(document.querySelector("#messages .new-messages-line"))'),
    ).to.be.closeTo(96, 1)
    expect(
      await page.evaluate(
        'document.querySelector("#messages .new-messages-line").nextElementSibling.textContent',
      ),
    ).to.include(`#${READ + 1} `)
    expect(await latest().textContent()).to.match(/^(9,9\d\d|10,000) newer messages$/)
    // Input without the end in view: nothing is marked read.
    await page.mouse.move(500, 300)
    await page.mouse.move(510, 310)
    await frames()
    expect(await mark()).to.equal(before)
  })

  it('scroll both ways without a jump, and never mount more than two hundred rows', async () => {
    for (const [step, least] of [
      [-400, READ - 400],
      [400, READ + 400],
    ] as const) {
      const passed = await page.evaluate<{ worst: number; most: number; text: string }>(`(async () => {
        let worst = 0, most = 0, waited = 0, held = anchor()
        const isThere = text => ${step} < 0 ? Number(/#(\\d+)/.exec(text)?.[1]) <= ${least} : Number(/#(\\d+)/.exec(text)?.[1]) >= ${least}
        while (!isThere(held.text) && waited < 1000) {
          held = anchor()
          const before = list().scrollTop
          list().scrollTop += ${step}
          const by = list().scrollTop - before
          waited = by === 0 ? waited + 1 : 0
          await frames(1)
          if (rowOf(held.id)) {
            const { id, offset, textOffset } = held
            const moved = movedSince({ id, offset: offset - by, textOffset: textOffset - by })
            worst = Math.max(worst, Math.abs(moved))
          }
          most = Math.max(most, list().querySelectorAll('article').length)
          held = anchor()
        }
        return { worst, most, text: held.text }
      })()`)
      expect(passed.worst).to.be.at.most(1)
      expect(passed.most).to.be.at.most(210)
      const at = number(passed.text)
      expect(step < 0 ? at <= least : at >= least, passed.text).to.equal(true)
    }
  })

  it('count the newer messages down, and are read once their end is seen', async () => {
    const count = Number(/[\d,]+/.exec((await latest().textContent())!)![0].replaceAll(',', ''))
    expect(count).to.be.within(9_300, 9_650)
    await latest().click()
    await ada.row(`#${BEHIND} `).waitFor()
    await eventually(async () => expect(await fromEnd()).to.be.at.most(1))
    await page.mouse.move(520, 300)
    await eventually(async () => expect(await mark()).to.be.greaterThan(0))
    await eventually(async () => {
      await page.mouse.move(500 + Math.random() * 50, 320)
      const rows = await bob.get<{ ts: number }[]>('/messages/behind?limit=1')
      expect(await mark()).to.equal(rows[0]!.ts)
    })
    await latest().waitFor({ state: 'detached' })
  })

  it('open in place at a link and at the parent of a reply, and lead back', async () => {
    const [old] = await bob.get<{ id: number; content: string }[]>(
      `/search_messages?channel=behind&q=${encodeURIComponent('#3417 ')}`,
    )
    await goTo('general')
    await page.evaluate(`location.hash = '#/c/behind/m/${old!.id}'`)
    const row = page.locator(`article[data-message-id="${old!.id}"]`)
    await row.waitFor()
    await frames()
    expect(await row.evaluate(one => one.matches(':focus'))).to.equal(true)
    const middle = await page.evaluate<number>(`offsetOf(rowOf('${old!.id}')) / list().clientHeight`)
    expect(middle).to.be.within(0.2, 0.7)
    const quote = row.locator('button.reply-quote')
    expect(await quote.count(), '3417 is a reply').to.equal(1)
    await quote.click()
    const parent = page.locator(`article[data-message-id="${old!.id - 5}"]`)
    await eventually(async () => expect(await parent.evaluate(one => one.matches(':focus'))).to.equal(true))
    await page.keyboard.press('Alt+ArrowLeft')
    await eventually(async () => expect(await row.evaluate(one => one.matches(':focus'))).to.equal(true))
  })

  it('reopen where they were left', async () => {
    await goTo('long')
    await eventually(async () => expect(await fromEnd()).to.be.at.most(1))
    // To the first loaded row, and on into the rows that are loaded then.
    await page.evaluate('list().scrollTop = 0')
    await eventually(async () => expect(await page.evaluate('list().scrollTop')).to.be.above(1_000))
    await page.evaluate('list().scrollTop -= 777')
    await frames(5)
    const left = await anchor()
    await goTo('general')
    await goTo('long')
    await eventually(async () => {
      const now = await anchor()
      expect(now.id).to.equal(left.id)
      expect(now.offset).to.be.closeTo(left.offset, 1)
    })
    await eventually(async () => expect(await mounted()).to.be.above(60))
    expect((await anchor()).offset).to.be.closeTo(left.offset, 1)
  })

  it('keep the focused row mounted while scrolling, and follow the keys', async () => {
    const id = (await anchor()).id
    const focused = () => page.evaluate<string>('document.activeElement?.dataset?.messageId')
    await page.locator(`article[data-message-id="${id}"]`).focus()
    await page.evaluate('list().scrollTop = list().scrollHeight')
    await frames()
    await page.evaluate('list().scrollTop = 0')
    await frames()
    expect(await focused()).to.equal(id)
    await page.keyboard.press('End')
    await eventually(async () => expect(await fromEnd()).to.be.at.most(1))
    expect(Number(await focused())).to.be.greaterThan(Number(id))
    const last = await focused()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('PageUp')
    await frames()
    const paged = Number(await focused())
    expect(paged).to.be.within(Number(last) - 60, Number(last) - 10)
    await page.keyboard.press('ArrowUp')
    expect(Number(await focused())).to.equal(paged - 1)
    await page.keyboard.press('Home')
    await frames()
    expect(Number(await focused())).to.be.below(paged - 50)
    expect(await page.evaluate('offsetOf(document.activeElement)')).to.be.within(0, 800)
    await page.keyboard.press('Escape')
    await eventually(async () => expect(await fromEnd()).to.be.at.most(1))
  })

  it('show the rows at the target of a jump just after a panel has narrowed the list', async () => {
    for (let pages = 0; pages < 2; pages++) {
      await page.evaluate('list().scrollTop = 0')
      await eventually(async () => expect(await page.evaluate('list().scrollTop')).to.be.above(1_000))
      await frames(1)
    }
    // A row under the pointer would be rendered again.
    await page.mouse.move(5, 5)
    for (const width of [900, 700, 450]) {
      const seen = await page.evaluate(`(async () => {
        const frame = document.querySelector('.message-list-frame')
        // Its date is in the list then, so that it is rendered once when it becomes narrow, and not a second time.
        list().scrollTop -= 30
        await frames(12)
        frame.style.maxInlineSize = '${width}px'
        await frames(1)
        // Just beyond the last mounted row, into the spacer below.
        const gaps = [...document.querySelectorAll('.message-column > div:not([class])')]
        list().scrollTop += offsetOf(gaps.find(gap => offsetOf(gap) > 0)) + 20
        await frames(6)
        return hasAnchor()
      })()`)
      expect(seen, `${width} px wide`).to.equal(true)
    }
    await page.evaluate('document.querySelector(".message-list-frame").style.maxInlineSize = ""')
  })

  /** HISTORY_SEED repeats a walk, but not its timing. */
  const walk = async () => {
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
        if (isEnd && ((await fromEnd()) <= Math.max(1, fromEndBefore) || (await latest().isVisible())))
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

  it('keep the text in place when the first row loses its header to earlier rows', async () => {
    const older = /\/messages\/grouped\?.*before/
    let release = () => {}
    const released = new Promise<void>(done => {
      release = done
    })
    await page.route(older, async route => {
      await released
      await route.continue()
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo('grouped')
    await page.evaluate('list().scrollTop = 0')
    await frames()
    const { id } = await anchor()
    const texts = () =>
      page.evaluate<number[]>(`(() => {
        const at = rows().indexOf(rowOf('${id}'))
        return rows().slice(at, at + 9).map(row => offsetOf(row.querySelector('.message-text')))
      })()`)
    const before = await texts()
    const head = page.locator(`article[data-message-id="${id}"] .message-row-head`)
    expect(await head.count()).to.equal(1)
    release()
    await head.waitFor({ state: 'detached' })
    await frames()
    const after = await texts()
    for (const [at, offset] of before.entries()) expect(after[at], `row ${at}`).to.be.closeTo(offset, 1)
    await page.unroute(older)
  })

  it('offer the actions of the row under the pointer, not of rows that only scroll by', async () => {
    await ada.page.goto('/#/c/long')
    const box = (await ada.page.locator('#messages').boundingBox())!
    await ada.page.mouse.move(box.x + 300, box.y + 300)
    await ada.page.locator('#messages [role=toolbar]').waitFor()
    await ada.page.evaluate(`{
      globalThis.offered = 0
      const isOffered = node => node.role === 'toolbar' || node.querySelector?.('[role=toolbar]')
      const watch = changes => { for (const { addedNodes } of changes) if ([...addedNodes].some(isOffered)) offered++ }
      new MutationObserver(watch).observe(list(), { childList: true, subtree: true })
    }`)
    const session = await ada.page.context().newCDPSession(ada.page)
    const first = await ada.page.evaluate('atTop().dataset.messageId')
    await session.send('Input.synthesizeScrollGesture', {
      x: box.x + 300,
      y: box.y + 300,
      yDistance: 3_000,
      speed: 3_000,
      gestureSourceType: 'mouse',
      preventFling: true,
    })
    expect(await ada.page.evaluate('atTop().dataset.messageId')).to.not.equal(first)
    const under = `document.elementFromPoint(${box.x + 300}, ${box.y + 300}).closest('article')?.querySelector('[role=toolbar]')`
    await eventually(async () => expect(await ada.page.evaluate(`Boolean(${under})`)).to.equal(true))
    // Without the debounce each of some forty rows would offer its actions; a busy machine adds a few.
    expect(await ada.page.evaluate('offered')).to.be.lessThan(12)
  })

  it('keep the New line until the channel is left', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo('behind')
    await newLine().waitFor({ state: 'detached' })
    await goTo('general')
    await bob.send('behind', 'one more')
    await eventually(async () =>
      expect(await page.locator('nav a', { hasText: 'behind' }).textContent()).to.match(/1/),
    )
    await goTo('behind')
    await newLine().waitFor()
    await page.mouse.move(500, 300)
    await page.mouse.move(530, 300)
    await eventually(async () => {
      const rows = await bob.get<{ ts: number }[]>('/messages/behind?limit=1')
      expect(await mark()).to.equal(rows[0]!.ts)
    })
    expect(await newLine().count()).to.equal(1)
    await ada.row('one more').focus()
    await page.keyboard.press('Escape')
    await newLine().waitFor({ state: 'detached' })
  })
})
