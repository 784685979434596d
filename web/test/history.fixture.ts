import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { type History, seedHistories } from '#shared/test-kit/long-history.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'

/** The row at the top of the viewport, and the offsets of the row and its text. */
export interface Anchor {
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

/** A server with long channels, ada in a browser, and bob, who writes. */
export interface Histories {
  stack: FullStack
  ada: BrowserUser
  bob: Person
  page: Page
  anchor(): Promise<Anchor>
  frames(count?: number): Promise<unknown>
  mounted(): Promise<number>
  fromEnd(): Promise<number>
  /** Opens a channel and waits for its rows. */
  goTo(channel: string): Promise<void>
}

export async function startHistories(histories: History[]): Promise<Histories> {
  const channels = ['general', ...histories.map(({ channel }) => channel)]
  const stack = await startFullStack({ settings: { channels } })
  const bob = await stack.person('bob')
  const ada = await stack.user('ada')
  const { page } = ada
  await page.addInitScript(IN_PAGE)
  await ada.signUp(PASSWORD)
  await seedHistories(stack.backing.env.DATABASE_URL, histories)
  await page.reload()
  const frames = (count = 3) => page.evaluate(`frames(${count})`)
  return {
    stack,
    ada,
    bob,
    page,
    anchor: () => page.evaluate<Anchor>('anchor()'),
    frames,
    mounted: () => page.evaluate<number>('list().querySelectorAll("article").length'),
    fromEnd: () => page.evaluate<number>('fromEnd()'),
    async goTo(channel) {
      await page.evaluate(`location.hash = '#/c/${channel}'`)
      await page.locator('h1', { hasText: channel }).waitFor()
      await page.locator('#messages article').first().waitFor()
      await frames()
    },
  }
}
