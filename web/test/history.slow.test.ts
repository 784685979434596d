import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type Histories, startHistories } from './history.fixture.ts'

const LONG = 6_000
const BEHIND = 20_000
const READ = 10_000
/** Makes the first of the newest sixty rows continue a group of its author. */
const GROUPED = 300

describe('long histories in the browser', function () {
  this.timeout(240_000)
  this.bail(true)
  let histories: Histories
  let ada: BrowserUser
  let bob: Person
  let page: Page
  let anchor: Histories['anchor']
  let frames: Histories['frames']
  let mounted: Histories['mounted']
  let fromEnd: Histories['fromEnd']
  let goTo: Histories['goTo']

  before(async () => {
    histories = await startHistories([
      { channel: 'long', count: LONG, read: new Map([['ada', LONG]]) },
      { channel: 'behind', count: BEHIND, read: new Map([['ada', READ]]) },
      { channel: 'grouped', count: GROUPED, read: new Map([['ada', GROUPED]]) },
    ])
    ;({ ada, bob, page, anchor, frames, mounted, fromEnd, goTo } = histories)
  })
  after(() => histories?.stack.close())

  const mark = async () => (await bob.get<ReadReceiptsPayload>('/read_receipts/behind'))['ada']
  const latest = () => page.locator('.to-latest')
  const newLine = () => page.locator('#messages .new-messages-line')
  const number = (text: string) => Number(/#(\d+)/.exec(text)?.[1])

  it('open at the first unread message, 112 px below the top, however long ago that was', async () => {
    const before = await mark()
    await goTo('behind')
    await newLine().waitFor()
    expect(
      await page.evaluate('offsetOf(document.querySelector("#messages .new-messages-line"))'),
    ).to.be.closeTo(112, 1)
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
    await page.locator('#messages .thread-summary').first().waitFor({ state: 'attached' })
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
