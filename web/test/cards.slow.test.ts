import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { openSite, type Site } from '#shared/test-kit/site.ts'
import { cardIn, cardSeenIn } from './cards.fixture.ts'

const titled = (title: string, more = '') => ({ body: `<title>${title}</title>${more}` })
const described = (title: string, image = '') =>
  titled(title, `<meta name=description content="${'Ground clearance. '.repeat(20)}">${image}`)

describe('a link card in the browser', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let site: Site
  let ada: BrowserUser
  let bob: BrowserUser
  let page: Page
  let cleo: Person
  /** Requests of the browsers, to this server and to others. */
  const asked: string[] = []

  before(async () => {
    const photo = sharp({ create: { width: 1200, height: 630, channels: 3, background: 'teal' } })
    site = await openSite({
      '/mill': described('The mill', '<meta property=og:image content=/mill.jpg>'),
      '/mill.jpg': { type: 'image/jpeg', body: await photo.jpeg().toBuffer() },
      '/weir': described('The weir', '<meta property=og:image content=/mill.jpg>'),
      '/slow': described('The slow one'),
      '/other': titled('Another page'),
      '/late': titled('Wanted late'),
      '/empty': { body: '' },
    })
    stack = await startFullStack({ settings: { preview_allow: [site.host] }, previews: true })
    cleo = await stack.person('cleo')
    ada = await stack.user('ada')
    bob = await stack.user('bob')
    page = ada.page
    for (const user of [ada, bob]) {
      user.page.on('request', request => asked.push(request.url()))
      await user.signUp(PASSWORD)
    }
  })
  after(async () => {
    await stack?.close()
    site?.close()
  })

  const previewsOf = (path: string) =>
    asked.filter(url => url.includes('/link_preview') && url.endsWith(encodeURIComponent(site.url + path)))
  const list = () => page.locator('#messages')
  /** Distance of a row from the top of the list, in px. */
  const placeOf = (row: Locator) =>
    row.evaluate(element => {
      const scroller = element.closest('#messages')!
      return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    })

  it('appears for both readers of a pasted link, and their browsers contact no other server', async () => {
    await ada.say(`look: ${site.url}/mill, not \`${site.url}/other\``)
    for (const user of [ada, bob]) {
      const card = await cardSeenIn(user.row('look:'))
      const link = card.getByRole('link', { name: 'The mill' })
      expect(await link.getAttribute('href')).to.equal(`${site.url}/mill`)
      expect(await link.getAttribute('rel')).to.equal('noopener noreferrer')
      expect(await card.textContent()).to.include('127.0.0.1')
      await eventually(async () => {
        const width = await card
          .locator('img')
          .evaluate(img => (img as unknown as { naturalWidth: number }).naturalWidth)
        expect(width).above(0)
      })
      expect(await card.locator('img').getAttribute('src')).to.match(/^\/card_picture\/[0-9a-f]{32}$/)
      const picture = (await card.locator('img').boundingBox())!
      const buttons = (await card.locator('.card-actions').boundingBox())!
      expect(buttons.x + buttons.width, 'buttons beside the picture').to.be.at.most(picture.x)
    }
    expect(previewsOf('/mill').length).to.equal(2)
    expect(previewsOf('/other')).to.deep.equal([])
    expect(asked.filter(url => new URL(url).host === site.host)).to.deep.equal([])
    expect(site.asked('/mill')).to.equal(1)
  })

  it('is requested once per tab, also where there is none', async () => {
    await cleo.send('general', `again ${site.url}/mill and nothing ${site.url}/empty`)
    await cardSeenIn(ada.row('again'))
    await cleo.send('general', `${site.url}/empty is empty`)
    for (const user of [ada, bob]) await user.row('is empty').scrollIntoViewIfNeeded()
    await eventually(() => expect(previewsOf('/empty').length).to.equal(2))
    await cleo.send('general', `still ${site.url}/empty`)
    await cleo.send('general', `beside it ${site.url}/weir`)
    await cardSeenIn(ada.row('beside it'))
    await cardSeenIn(bob.row('beside it'))
    expect(previewsOf('/empty').length).to.equal(2)
    expect(previewsOf('/mill').length).to.equal(2)
    expect(await cardIn(ada.row('still')).count()).to.equal(0)
  })

  it('hides a picture that fails to load, and nothing moves', async () => {
    await page.route('**/card_picture/**', route => route.abort())
    await page.reload()
    const card = await cardSeenIn(ada.row('beside it'))
    await eventually(async () => expect(await card.locator('img').count()).to.equal(0))
    const lost = (await card.boundingBox())!
    await page.unroute('**/card_picture/**')
    await page.reload()
    await cardSeenIn(ada.row('beside it'))
    await card.locator('img').waitFor()
    const whole = (await card.boundingBox())!
    expect([lost.height, lost.width + 116]).to.deep.equal([whole.height, whole.width])
  })

  it('can be folded, and hidden by the author of the message, by keyboard and permanently', async () => {
    const row = ada.row('look:')
    const card = cardIn(row)
    await card.getByRole('button', { name: 'Fold the card' }).press('Enter')
    await eventually(async () => expect(await card.locator('.link-card-description').count()).to.equal(0))
    await page.reload()
    await card.getByRole('button', { name: 'Unfold the card' }).press('Enter')
    await card.locator('.link-card-description').waitFor()
    // Only the author can hide it.
    expect(
      await ada.row('beside it').getByRole('button', { name: 'Hide this card for me' }).count(),
    ).to.equal(0)

    const hide = card.getByRole('button', { name: 'Hide this card for me' })
    await hide.press('Enter')
    await card.waitFor({ state: 'detached' })
    expect(await row.evaluate(element => element.matches(':focus'))).to.equal(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await card.waitFor()
    await hide.press('Enter')
    await card.waitFor({ state: 'detached' })
    await page.reload()
    await cardSeenIn(ada.row('beside it'))
    expect(await card.count()).to.equal(0)
    expect(await cardIn(bob.row('look:')).count()).to.equal(1)
  })

  it('keeps its buttons reachable while the pointer is on the message below', async () => {
    await page.setViewportSize({ width: 720, height: 800 })
    await cleo.send('general', `folded ${site.url}/weir`)
    await cleo.send('general', 'right below it')
    const card = await cardSeenIn(ada.row('folded'))
    await card.getByRole('button', { name: 'Fold the card' }).click()
    const unfold = card.getByRole('button', { name: 'Unfold the card' })
    await unfold.waitFor()
    await ada.row('right below it').hover()
    await eventually(async () => {
      const [bar, button] = [await page.locator('.message-actions').boundingBox(), await unfold.boundingBox()]
      expect(bar!.y).to.be.at.least(button!.y + button!.height)
    })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('changes with its message, and is removed with it', async () => {
    const id = await cleo.send('general', `first ${site.url}/mill`)
    const row = page.locator(`article[data-message-id="${id}"]`)
    await (await cardSeenIn(row)).getByRole('link', { name: 'The mill' }).waitFor()
    await cleo.edit(id, `then ${site.url}/weir`)
    await cardIn(row).getByRole('link', { name: 'The weir' }).waitFor()
    expect(await cardIn(row).count()).to.equal(1)
    await cleo.edit(id, 'nothing')
    await cardIn(row).waitFor({ state: 'detached' })
    await cleo.edit(id, `then ${site.url}/weir`)
    await cardSeenIn(row)
    await cleo.delete(id)
    await cardIn(row).waitFor({ state: 'detached' })
  })

  it('that arrives late above the viewport moves nothing', async () => {
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(
      url => url.href.endsWith('slow'),
      async route => {
        await held
        await route.continue()
      },
    )
    // The server has the card, so that a single request brings it: a row out of view asks no second time.
    const preview = `/link_preview?url=${encodeURIComponent(`${site.url}/slow`)}`
    await eventually(async () => expect(await cleo.get(preview)).to.have.property('title'))
    await cleo.send('general', `slowly ${site.url}/slow`)
    for (let i = 0; i < 40; i++) await cleo.send('general', `number ${i}, a line of nothing in particular`)
    await ada.row('number 39,').waitFor()
    await ada.row('slowly').evaluate(element => element.scrollIntoView({ block: 'center' }))
    await eventually(() => expect(previewsOf('/slow').length).to.be.above(0))
    // Scroll on until the card is out of sight, with neither end near.
    await ada.row('number 9,').evaluate(element => element.scrollIntoView({ block: 'start' }))
    const reading = ada.row('number 12,')
    await eventually(async () => expect(await placeOf(ada.row('slowly'))).to.be.below(-40))
    const place = await placeOf(reading)
    const height = await list().evaluate(element => element.scrollHeight)
    answer()
    await cardIn(ada.row('slowly')).waitFor({ state: 'attached' })
    await eventually(async () =>
      expect(await list().evaluate(element => element.scrollHeight)).to.be.above(height + 40),
    )
    expect(await placeOf(reading)).to.be.closeTo(place, 1)

    // At the end the list stays at the end.
    await list().evaluate(element => element.scrollTo(0, element.scrollHeight))
    await cleo.send('general', `the end ${site.url}/mill`)
    await cardSeenIn(ada.row('the end'))
    const fromEnd = await list().evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    )
    expect(fromEnd).to.be.below(2)
  })

  it('is neither shown nor requested for people who turned cards off', async () => {
    await page.evaluate(`localStorage.setItem('bothy preferences ada', '{"showCards":false}')`)
    await page.reload()
    await cleo.send('general', `not wanted ${site.url}/late`)
    const row = ada.row('not wanted')
    await row.waitFor()
    await cardSeenIn(bob.row('not wanted'))
    expect(await page.locator('.link-card, .code-card').count()).to.equal(0)
    const before = previewsOf('/late').length
    expect(before).to.equal(1) // Only bob's request.
    await page.evaluate(`localStorage.removeItem('bothy preferences ada')`)
    await page.reload()
    await cardSeenIn(row)
    expect(previewsOf('/late').length).to.equal(2)
    expect(ada.complaints.concat(bob.complaints)).to.deep.equal([])
  })
})
