import { expect } from 'chai'
import type { Locator, Route } from 'playwright-core'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'
import type { InboxItem } from '#shared/domain/payloads/inbox.ts'
import type { SavedPayload, ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { SearchHitPayload } from '#shared/domain/payloads/search.ts'
import type { FollowedThread, ThreadPayload } from '#shared/domain/payloads/threads.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

const ALL = 1_500
const MOST = 1_000
const PAGE = 50
/** Replies in the panel of a thread, see `thread-rows.ts`. */
const MOST_REPLIES = 600

/** Lists that are longer than a test could fill: pages of rows with numbers for texts. */
describe('a list of 1,500 rows keeps at most 1,000 in the page', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let message: MessagePayload

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general'] } })
    ada = await stack.signedIn('ada')
    const id = await ada.http.send('general', 'one of many')
    message = (await ada.http.messages('general')).find(one => one.id === id)!
    await shown(ada.row('one of many'))
  })
  after(() => stack?.close())

  const give =
    <T>(row: (at: number) => T, more: object = {}) =>
    async (route: Route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: PAGE }, (_, at) => row(from + at + 1))
      const next = from + PAGE < ALL ? String(from + PAGE) : null
      await route.fulfill({ json: { ...more, items, next } satisfies Page<T> })
    }
  const textOf = (at: number) => `row ${at}.`
  const rowsOf = async (rows: Locator) => {
    const texts = await rows.allTextContents()
    return { count: texts.length, first: texts[0]!.match(/row \d+\./)?.[0] }
  }
  const toEndOf = (scrolling: Locator) =>
    scrolling.evaluate(box => {
      box.scrollTop = box.scrollHeight
    })
  const toEnd = () => toEndOf(ada.panel.locator('.details-content, .panel-results:not(.details-content > *)'))

  async function expectBounded(rows: Locator) {
    const full = ada.panel.getByText('1,000 are shown at a time.')
    await eventually(async () => {
      await toEnd()
      expect(await full.count()).to.equal(1)
    }, 90_000)
    expect(await rowsOf(rows)).to.deep.equal({ count: MOST, first: textOf(1) })
    await expectAccessible(ada.page)
    await ada.panel.getByRole('button', { name: 'Show the next ones' }).click()
    const back = ada.panel.getByRole('button', { name: 'Back to the start of the list' })
    await shown(back)
    await gone(full)
    expect((await rowsOf(rows)).first).to.equal(textOf(MOST + 1))
    expect((await rowsOf(rows)).count).to.be.at.most(ALL - MOST)
    await back.click()
    await eventually(async () => expect((await rowsOf(rows)).first).to.equal(textOf(1)))
    await gone(back)
    expect((await rowsOf(rows)).count).to.be.at.most(MOST)
  }

  it('of mentions', async () => {
    const mention = (at: number): InboxItem => ({
      id: String(at),
      kind: 'mention',
      channel: 'general',
      message_id: message.id,
      root_id: null,
      actors: ['bob'],
      count: 1,
      content: textOf(at),
      ts: message.ts - at,
      read: true,
    })
    await ada.page.route('**/inbox?kind=mention*', give(mention, { unread: 0, threads: 0 }))
    await ada.page.goto('/#/mentions')
    await ada.panel.getByRole('tab', { name: 'Mentions' }).click()
    await expectBounded(ada.panel.locator('.activity-item'))
    await ada.page.unroute('**/inbox?kind=mention*')
  })

  it('of threads', async () => {
    const thread = (at: number): FollowedThread => ({
      id: at,
      channel: 'general',
      root: { ...message, id: at, content: textOf(at) },
      replies: 1,
      last: null,
      last_ts: message.ts - at,
      people: ['bob'],
      unread: 0,
      following: true,
    })
    await ada.page.route('**/threads?unread=0*', give(thread))
    await ada.page.goto('/#/threads')
    await expectBounded(ada.panel.locator('.thread-item'))
    await ada.page.unroute('**/threads?unread=0*')
  })

  it('of results of a search', async () => {
    const hit = (at: number): SearchHitPayload => ({
      id: at,
      channel: 'general',
      sender: 'ada',
      content: textOf(at),
      ts: message.ts - at,
      thread: null,
      file: null,
      file_name: null,
      match: [],
    })
    const parsed = { problems: [] }
    await ada.page.route('**/search?*', give(hit, { parsed, total: ALL, total_is: 'exact', complete: true }))
    await ada.page.goto('/#/search/row')
    const rows = ada.panel.getByRole('option')
    await shown(rows.first())
    await ada.panel.getByRole('combobox').focus()
    const more = ada.panel.getByRole('button', { name: 'Older', exact: true })
    while (await more.count()) {
      const { count } = await rowsOf(rows)
      await more.click()
      await eventually(async () => expect((await rowsOf(rows)).count).to.be.above(count))
    }
    await expectBounded(rows)
    await ada.page.unroute('**/search?*')
  })

  const saved = (at: number): SavedPayload => ({
    message: { ...message, id: at, content: textOf(at) },
    saved_ts: message.ts - at,
    remind_ts: null,
    done_ts: message.ts - at,
    note: null,
  })

  it('of saved messages that are done', async () => {
    await ada.page.route('**/saved?state=done*', give(saved))
    await ada.page.goto('/#/saved')
    await ada.panel.getByRole('button', { name: 'Done', exact: true }).click()
    await expectBounded(ada.panel.locator('.saved-row'))
    await ada.page.unroute('**/saved?state=done*')
  })

  it('of saved messages in a window of 400 px, where head and list scroll together: a page for each scroll to the end', async () => {
    const { width, height } = ada.page.viewportSize()!
    const rows = ada.panel.locator('.saved-row')
    const frames = () =>
      ada.page.evaluate(async () => {
        for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame)
      })
    await ada.page.goto('/#/c/general')
    await ada.page.route('**/saved?state=done*', give(saved))
    await ada.page.goto('/#/saved')
    await ada.panel.getByRole('button', { name: 'Done', exact: true }).click()
    await shown(rows.first())
    // The list was there before the window became low, as with zoom.
    await ada.page.setViewportSize({ width, height: 400 })
    for (const count of [PAGE, 2 * PAGE, 3 * PAGE]) {
      if (count > PAGE) await toEndOf(ada.panel)
      await eventually(async () => expect(await rows.count()).to.be.at.least(count))
      // More would be requested in the next frame.
      await frames()
      expect(await rows.count()).to.equal(count)
    }
    await ada.page.unroute('**/saved?state=done*')
    await ada.page.setViewportSize({ width, height })
  })

  it('of scheduled messages', async () => {
    const scheduled = (at: number): ScheduledPayload => ({
      id: at,
      channel: 'general',
      text: textOf(at),
      reply_to_id: null,
      send_ts: message.ts + 86_400 + at,
      created_ts: message.ts,
      state: 'waiting',
      failed_why: null,
    })
    await ada.page.route('**/scheduled?*', give(scheduled))
    await ada.page.goto('/#/scheduled')
    await expectBounded(ada.panel.locator('.saved-row'))
    await ada.page.unroute('**/scheduled?*')
  })

  it('of files', async () => {
    const file = (at: number): ChannelFilePayload => ({
      message_id: at,
      name: `f${at}.pdf`,
      original_name: textOf(at),
      sender: 'ada',
      ts: message.ts - at,
      type: 'application/pdf',
      size: 1_000,
    })
    await ada.page.route('**/channel_files/general?*', give(file))
    await ada.page.goto('/#/c/general/people')
    await ada.page.getByRole('tab', { name: 'Files' }).click()
    await expectBounded(ada.panel.locator('.files-line'))
    await ada.page.unroute('**/channel_files/general?*')
  })

  it('of the 3,000 replies of a thread, 600 of them', async () => {
    const replies = 3_000
    const reply = (at: number): MessagePayload => ({
      ...message,
      id: message.id + at,
      ts: message.ts + at / 1_000,
      sender: 'bob',
      content: textOf(at),
      reply_to_id: message.id,
      extra: { thread: message.id },
    })
    await ada.page.route(`**/thread/${message.id}*`, async route => {
      const before = new URL(route.request().url()).searchParams.get('before')
      const to = before === null ? replies : Number(before) - message.id - 1
      const from = Math.max(to - PAGE, 0)
      const rows = Array.from({ length: to - from }, (_, at) => reply(from + at + 1))
      const page: ThreadPayload = {
        root: message,
        rows,
        more: from > 0,
        following: true,
        last_read_id: message.id + replies,
        unread: 0,
        ...(before === null && { people: ['ada', 'bob'] }),
      }
      await route.fulfill({ json: page })
    })
    await ada.page.goto(`/#/c/general/m/${message.id}/thread`)
    const rows = ada.panel.locator('[role=feed] article')
    const numberOf = async (at: 0 | -1) =>
      Number((await rows.allTextContents()).at(at)?.match(/row (\d+)\./)?.[1])
    await eventually(async () => expect(await numberOf(-1)).to.equal(replies))
    const older = ada.panel.getByRole('button', { name: 'Show older replies' })
    for (let first = replies - PAGE + 1; first > 1; first -= PAGE) {
      await eventually(async () => expect(await numberOf(0)).to.equal(first))
      expect(await rows.count()).to.be.at.most(MOST_REPLIES)
      await older.click()
    }
    await eventually(async () => expect(await numberOf(0)).to.equal(1))
    expect(await numberOf(-1)).to.equal(MOST_REPLIES)
    await gone(older)
    await ada.panel.getByRole('button', { name: 'Newest replies' }).click()
    await eventually(async () => expect(await numberOf(-1)).to.equal(replies))
    expect(await rows.count()).to.equal(PAGE)
    await ada.page.unroute(`**/thread/${message.id}*`)
  })
})
