/** What client.ts measures of scrolling (ui.md 10): what a person sees, and what the page's own thread does for it. */
import type { CDPSession, Page } from 'playwright-core'
import type { Milliseconds } from '#shared/rules/units.ts'

/** Pixels a second: as hard as one turns a wheel, some sixty messages. */
const WHEEL = 4_000
/** One turn of it. */
const TURN = 8_000
/** Pixels a frame: a violent flick, three rows each time. */
const STEP = 150

export interface Scrolled {
  messages: number
  /** Between two frames: those that were on the screen, and those of the page's thread, which fall behind where it is busy. */
  shown: Milliseconds[]
  painted: Milliseconds[]
  /** Frames in which the pointer's column had no row at one of its ends. */
  gaps: number
  mostRows: number
}

/** As a wheel does it. The browser moves what is painted by itself; the page has to have rows there in time. */
export async function turnWheel(
  page: Page,
  chromium: CDPSession,
  direction: 1 | -1,
  messages: number,
): Promise<Scrolled> {
  const box = (await page.locator('#messages').boundingBox())!
  const drawn: { pid: number; at: Milliseconds }[] = []
  const take = ({ value }: { value: object[] }) => {
    for (const event of value as { name: string; pid: number; ts: number }[])
      if (event.name === 'DrawFrame') drawn.push({ pid: event.pid, at: event.ts / 1000 })
  }
  chromium.on('Tracing.dataCollected', take)
  await chromium.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline.frame'] },
  })
  await page.evaluate(WATCH)
  let passed = 0
  for (let before = -1; passed < messages && passed !== before; ) {
    before = passed
    await chromium.send('Input.synthesizeScrollGesture', {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      yDistance: -direction * TURN,
      speed: WHEEL,
      gestureSourceType: 'mouse',
      preventFling: true,
    })
    passed = await page.evaluate<number>('watched.passed()')
  }
  const watched = await page.evaluate<Omit<Scrolled, 'shown'>>('watched.end()')
  const ended = new Promise(resolve => chromium.once('Tracing.tracingComplete', resolve))
  await chromium.send('Tracing.end')
  await ended
  chromium.off('Tracing.dataCollected', take)
  return { ...watched, shown: between(ofTheBusiest(drawn)) }
}

/** The browser draws for its other pages too, now and then. */
function ofTheBusiest(drawn: { pid: number; at: Milliseconds }[]): Milliseconds[] {
  const pages = Object.values(Object.groupBy(drawn, one => one.pid)).map(one => one!.map(({ at }) => at))
  return pages.toSorted((a, b) => b.length - a.length)[0]!.toSorted((a, b) => a - b)
}

const between = (times: number[]) => times.slice(1).map((time, at) => time - times[at]!)

/** A script moves the list in each frame, which leaves all of it to the page's thread. */
export async function scrollByScript(
  page: Page,
  direction: 1 | -1,
  messages: number,
  step = STEP,
): Promise<Omit<Scrolled, 'shown'>> {
  await page.evaluate(WATCH)
  return await page.evaluate(`new Promise(done => {
    const list = document.querySelector('#messages')
    let stalls = 0
    const tick = () => {
      const at = list.scrollTop
      list.scrollTop += ${direction * step}
      stalls = list.scrollTop === at ? stalls + 1 : 0
      if (watched.passed() >= ${messages} || stalls > 300) done(watched.end())
      else requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })`)
}

/** Notes each frame of the page's thread, and now and then what is seen in it. */
const WATCH = `(() => {
  const list = document.querySelector('#messages')
  const { top, bottom, left, width } = list.getBoundingClientRect()
  const rowAt = y => document.elementFromPoint(left + width / 2, y)?.closest('article')
  const isGap = y => document.elementFromPoint(left + width / 2, y)?.matches('.col > [aria-hidden]:not([class])')
  const here = () => Number((rowAt(top + 100) ?? rowAt(top + 140))?.dataset.messageId)
  const painted = []
  let last = performance.now(), frame = 0, gaps = 0, mostRows = 0, start, messages = 0
  const tick = now => {
    painted.push(now - last)
    last = now
    if (frame++ % 10 === 0) {
      start ??= here() || undefined
      messages = Math.abs((here() || start) - start) || messages
      mostRows = Math.max(mostRows, list.querySelectorAll('article').length)
      if (isGap(top + 4) || isGap(bottom - 4)) gaps++
    }
    next = requestAnimationFrame(tick)
  }
  let next = requestAnimationFrame(tick)
  globalThis.watched = {
    passed: () => messages,
    end() {
      cancelAnimationFrame(next)
      return { messages, painted: painted.slice(1), gaps, mostRows }
    },
  }
})()`
