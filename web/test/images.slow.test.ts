import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { axeFindings } from '#shared/test-kit/axe.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'

/** Layout shift in the list by the browser's own measure; installed before the first paint. */
const watchShifts = () => {
  const page = globalThis as unknown as { shifts: number }
  page.shifts = 0
  interface Shift extends PerformanceEntry {
    value: number
    sources: { node?: { parentElement?: { closest(selector: string): unknown } } }[]
  }
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as Shift[])
      if (entry.sources.some(({ node }) => node?.parentElement?.closest('[role=feed]')))
        page.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

describe('images in the browser', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let page: Page
  let bob: Person

  before(async () => {
    stack = await startFullStack({ previews: true })
    bob = await stack.person('bob')
    // All of it fits the first page: rows loaded while scrolling are balanced by the list.
    for (let i = 0; i < 27; i++) {
      const [width, height] = [800 + ((i * 137) % 400), 640 + ((i * 211) % 400)]
      const bytes = await sharp({
        create: { width, height, channels: 3, background: { r: i * 8, g: 120, b: 160 } },
      })
        .withMetadata({ orientation: 1 + (i % 8) })
        .jpeg()
        .toBuffer()
      if (i % 9 === 0) await bob.send('general', `Look at number ${i}, from the weir.`)
      await bob.sendImages('general', [{ name: `pic-${i}.jpg`, bytes }], `number ${i}`)
    }
    ada = await stack.user('ada')
    page = ada.page
    await page.addInitScript(watchShifts)
  })
  after(() => stack?.close())

  const pictures = () => page.locator('article .image-attachment-open img')
  const viewer = () => page.getByRole('dialog', { name: 'Image viewer' })
  const looked = () => viewer().locator('.lightbox-view img')
  const widthOf = async () => (await looked().boundingBox())!.width
  /** A GIF of three frames in different colours. */
  const moving = async () => {
    const frames = await Promise.all(
      ['teal', 'gold', 'crimson'].map(background =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    return sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100, 100] })
      .toBuffer()
  }

  it('load by the dozen without a layout shift', async () => {
    await ada.signUp(PASSWORD)
    await page.goto('/')
    // Rows far from the viewport mount while nothing scrolls; until then there are spacers. A row that mounts in the
    // very frame of a scroll is balanced by it, which the browser counts as a shift.
    const gaps = page.locator('#messages .message-column > :not([data-key], [data-item])')
    await eventually(async () => {
      expect(await pictures().count()).to.equal(27)
      expect(await gaps.count()).to.equal(0)
    })
    // All the way up, so that each picture loads.
    for (let at = (await pictures().count()) - 1; at >= 0; at--) {
      await pictures().nth(at).scrollIntoViewIfNeeded()
      const picture = pictures().nth(at)
      await eventually(async () =>
        expect(
          await picture.evaluate(img => (img as unknown as { naturalWidth: number }).naturalWidth),
        ).above(0),
      )
    }
    expect(await pictures().count()).to.equal(27)
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts)
    expect(shifts).to.equal(0)
  })

  it('are thumbnails of the displayed width, in a box of their own aspect ratio', async () => {
    const { src, ratio, box } = await pictures()
      .last()
      .evaluate(img => {
        const { currentSrc, naturalWidth, naturalHeight, clientWidth, clientHeight } = img as unknown as {
          currentSrc: string
          naturalWidth: number
          naturalHeight: number
          clientWidth: number
          clientHeight: number
        }
        return { src: currentSrc, ratio: naturalWidth / naturalHeight, box: clientWidth / clientHeight }
      })
    expect(src).to.include('?size=360')
    expect(box).to.be.closeTo(ratio, 0.03)
  })

  it('open in a viewer, by keyboard alone: arrows, zoom, and back to the opener', async () => {
    const opener = page.locator('article .image-attachment-open').last()
    await opener.focus()
    await page.keyboard.press('Enter')
    await looked().waitFor()
    await eventually(async () =>
      expect(await viewer().locator('.lightbox-foot').textContent()).to.match(/^(\d+) of \1$/),
    )
    await page.keyboard.press('ArrowLeft')
    await eventually(async () =>
      expect(await viewer().locator('.lightbox-foot').textContent()).to.not.match(/^(\d+) of \1$/),
    )
    await page.keyboard.press('ArrowRight')
    const whole = await widthOf()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await eventually(async () => expect(await widthOf()).to.be.closeTo(whole * 2.25, 2))
    expect(await viewer().getByText('Zoomed to 225 percent').count()).to.equal(1)
    await page.keyboard.press('0')
    await eventually(async () => expect(await widthOf()).to.be.closeTo(whole, 1))
    expect(await axeFindings(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    await viewer().waitFor({ state: 'detached' })
    expect(await opener.evaluate(element => element.matches(':focus'))).to.equal(true)
  })

  it('zoom by wheel and double click, and are dragged by the pointer', async () => {
    await page.locator('article .image-attachment-open').last().click()
    await looked().waitFor()
    const whole = await widthOf()
    const box = (await viewer().locator('.lightbox-view').boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.wheel(0, -600)
    await eventually(async () => expect(await widthOf()).to.be.above(whole * 3))
    const before = (await looked().boundingBox())!
    await page.mouse.down()
    await page.mouse.move(x + 40, y + 30, { steps: 4 })
    await page.mouse.up()
    await eventually(async () => {
      const after = (await looked().boundingBox())!
      expect(Math.abs(after.x - before.x) + Math.abs(after.y - before.y)).to.be.above(20)
    })
    await page.mouse.dblclick(x, y)
    await eventually(async () => expect(await widthOf()).to.be.closeTo(whole, 1))
    await page.mouse.dblclick(x, y)
    await eventually(async () => expect(await widthOf()).to.be.closeTo(whole * 2.5, 2))
    await viewer().getByRole('button', { name: 'Close' }).click()
  })

  it('are all in a film strip with their names, and each is found in the channel', async () => {
    const sent = Array.from({ length: 9 }, (_, i) => `tile-${i}.png`)
    const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await bob.sendImages(
      'general',
      sent.map(name => ({ name, bytes })),
    )
    await page.locator('.image-attachment-more', { hasText: '+5' }).click()
    await looked().waitFor()
    const strip = viewer().getByRole('group', { name: 'Images of this channel' })
    await eventually(async () =>
      expect(await strip.locator('[aria-current]').getAttribute('aria-label')).to.equal(
        'Image 31 of 36, from bob',
      ),
    )
    expect(await viewer().locator('.lightbox-name').textContent()).to.match(
      /^bob \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/,
    )
    await strip.getByRole('button', { name: 'Image 36 of 36' }).click()
    await eventually(async () =>
      expect(await viewer().locator('.lightbox-foot').textContent()).to.equal('36 of 36'),
    )
    await strip.getByRole('button', { name: 'Image 36 of 36' }).focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(async () =>
      expect(await strip.locator('button:focus').getAttribute('aria-label')).to.include('Image 35 of 36'),
    )
    expect(await axeFindings(page)).to.deep.equal([])
    await page.keyboard.press('Home')
    await eventually(async () =>
      expect(await viewer().locator('.lightbox-foot').textContent()).to.equal('1 of 36'),
    )
    await viewer().getByRole('button', { name: 'Show in channel' }).click()
    await viewer().waitFor({ state: 'detached' })
    await page.locator('article.is-flashing', { hasText: 'number 0' }).waitFor()
  })

  it('in the viewer say whose image could not be loaded, and are retried', async () => {
    await page.route('**/files/**', route => route.abort())
    await page.locator('article .image-attachment-open').last().click()
    const failed = viewer().getByText('The image from bob could not be loaded.')
    await failed.waitFor()
    await page.unroute('**/files/**')
    await viewer().getByRole('button', { name: 'Try again' }).click()
    await failed.waitFor({ state: 'detached' })
    await looked().waitFor()
    await page.keyboard.press('Escape')
  })

  it('report that they could not be loaded, and are retried', async () => {
    await bob.sendImages('general', [{ name: 'gone.gif', bytes: await moving() }], 'this one is lost')
    const row = ada.row('this one is lost')
    await row.waitFor()
    await page.route('**/files/**', route => route.abort())
    await page.reload()
    const lost = page.getByRole('button', { name: /could not be loaded/ }).last()
    await lost.waitFor()
    await page.unroute('**/files/**')
    // A row that is mounted anew asks again by itself.
    if ((await lost.count()) > 0) await lost.click({ timeout: 5_000 }).catch(() => {})
    await eventually(async () => expect(await row.locator('.image-attachment-open img').count()).to.equal(1))
  })

  it('stand still for people who prefer reduced motion, until they are played', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const row = ada.row('this one is lost')
    const source = () =>
      row
        .locator('.image-attachment-open img')
        .evaluate(img => (img as unknown as { currentSrc: string }).currentSrc)
    await eventually(async () => expect(await source()).to.include('still=1'))
    await row.getByRole('button', { name: 'Play' }).click()
    await eventually(async () => expect(await source()).to.not.include('still=1'))
    await row.getByRole('button', { name: 'Pause' }).click()
    await eventually(async () => expect(await source()).to.include('still=1'))
    expect(await axeFindings(page)).to.deep.equal([])
    expect(ada.complaints).to.deep.equal([])
  })
})
