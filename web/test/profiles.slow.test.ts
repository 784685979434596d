import { expect } from 'chai'
import sharp from 'sharp'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('profiles', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let dora: SignedIn
  let channel: string

  before(async () => {
    stack = await startFullStack()
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    dora = await stack.signedIn('dora')
    channel = await ada.http.createPrivateChannel('Rev D board', ['bob', 'dora'])
    await ada.http.send(channel, '@bob worth a call?')
    for (const user of [ada, bob, dora]) await user.sidebarRow('Rev D board').click()
    await shown(bob.row('worth a call?'))
  })
  after(() => stack?.close())

  it('a picture and a colour are visible to everybody, and the profile shows whose they are', async () => {
    const picture = await sharp({ create: { width: 128, height: 128, channels: 3, background: '#c15c68' } })
      .jpeg()
      .toBuffer()
    const { request } = bob.page
    const avatar = { name: 'bob.jpg', mimeType: 'image/jpeg', buffer: picture }
    expect((await request.post('/avatar', { multipart: { avatar } })).status()).to.equal(204)
    expect((await request.post('/settings', { data: { name_color: '#8d6cc2' } })).status()).to.equal(204)
    await bob.say('the note is in tab 3')

    const row = dora.row('the note is in tab 3')
    await row.locator('.message-row-head').getByRole('button', { name: 'Profile of bob' }).click()
    const card = dora.page.getByRole('dialog', { name: 'Profile of bob' })
    await shown(card.getByText('Active now'))
    await shown(card.locator('.avatar > img'))
    await shown(card.getByText('Also in Rev D board'))
    await shown(row.locator('.avatar > img'))
    const colour = await row
      .locator('.person-name')
      .evaluate(name => getComputedStyle(name).getPropertyValue('--nc'))
    expect(colour).to.equal('#8d6cc2')
    await expectAccessible(dora.page)

    await card.getByRole('button', { name: 'Mention in the composer' }).click()
    await eventually(async () => expect(await dora.composer.inputValue()).to.equal('@bob '))
    await dora.composer.fill('')
    await row.locator('.person-button .avatar').click()
    await card.getByRole('button', { name: 'Message', exact: true }).click()
    await dora.page.waitForURL(/#\/d\/bob,dora$/)
    await dora.sidebarRow('Rev D board').click()
  })

  it('the profile opens from a mention and from a reader mark', async () => {
    const card = ada.page.getByRole('dialog', { name: 'Profile of bob' })
    await ada.row('worth a call?').locator('.mention', { hasText: '@bob' }).click()
    await shown(card.getByText('Active now'))
    await ada.page.keyboard.press('Escape')
    await gone(card)
    // The author of the last message is not among its readers.
    await ada.http.send(channel, 'read by bob')
    await bob.http.markRead(channel)
    await ada.row('read by bob').locator('.seen').click()
    await ada.page
      .getByRole('dialog', { name: /^Seen by/ })
      .getByRole('button', { name: 'bob' })
      .click()
    await shown(card.getByText('Active now'))
    await ada.page.keyboard.press('Escape')
    await gone(card)
  })

  it('a replaced picture appears when the profile opens', async () => {
    const card = dora.page.getByRole('dialog', { name: 'Profile of bob' })
    const source = () => card.locator('.avatar > img').getAttribute('src')
    const open = () => dora.row('the note is in tab 3').locator('.person-button .avatar').click()
    await open()
    await shown(card.locator('.avatar > img'))
    const before = await source()
    await dora.page.keyboard.press('Escape')
    await gone(card)
    const other = await sharp({ create: { width: 128, height: 128, channels: 3, background: '#03919d' } })
      .jpeg()
      .toBuffer()
    const avatar = { name: 'bob.jpg', mimeType: 'image/jpeg', buffer: other }
    await bob.page.request.post('/avatar', { multipart: { avatar } })
    await open()
    await eventually(async () =>
      expect(await source())
        .to.match(/^blob:/)
        .and.not.equal(before),
    )
    await bob.page.request.delete('/avatar')
    await dora.page.keyboard.press('Escape')
    await gone(card)
    await open()
    await gone(card.locator('.avatar > img'))
    await dora.page.keyboard.press('Escape')
  })

  it('a picture is there at once on a known device, and a failed one is requested again', async () => {
    const avatar = {
      name: 'bob.jpg',
      mimeType: 'image/jpeg',
      buffer: await sharp({ create: { width: 128, height: 128, channels: 3, background: '#3a7' } })
        .jpeg()
        .toBuffer(),
    }
    await bob.page.request.post('/avatar', { multipart: { avatar } })
    const context = await stack.browser.newContext({
      storageState: await dora.page.context().storageState(),
      baseURL: stack.url,
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    const face = page.locator('article', { hasText: 'the note is in tab 3' }).locator('.avatar > img')
    let refused = 0
    await page.route('**/avatar/bob', route => (refused++ === 0 ? route.abort() : route.continue()))
    await page.goto(dora.page.url())
    await shown(face)
    expect(refused).to.be.above(1)
    await page.unrouteAll()
    await page.route('**/avatar/**', () => {})
    await page.reload()
    await shown(face)
    await context.close()
    await bob.page.request.delete('/avatar')
  })

  it('a text begins at the edge where its script begins, whatever the direction of the page', async () => {
    await dora.say('@bob שלום לכולם')
    const gaps = () => dora.page.evaluate(gapsToEdges, ['the note is in tab 3', 'שלום לכולם'])
    await shown(dora.row('שלום לכולם'))
    const areSmall = async () => expect(Math.max(...(await gaps()))).to.be.below(6)
    await eventually(areSmall)
    await dora.page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await eventually(areSmall)
    await expectAccessible(dora.page)
    await dora.page.evaluate(() => {
      document.documentElement.dir = 'ltr'
    })
  })

  it('cause no page errors', () => {
    expect([...ada.complaints, ...bob.complaints, ...dora.complaints]).to.deep.equal([])
  })
})

/** Runs in the page: distance of the first text from the left edge of its column, and of the others from the right. */
function gapsToEdges(texts: string[]) {
  return texts.map((text, at) => {
    const row = [...document.querySelectorAll('article')].find(one => one.textContent?.includes(text))!
    const range = document.createRange()
    range.selectNodeContents(row.querySelector('.message-text p')!)
    const column = row.querySelector('.message-text')!.getBoundingClientRect()
    const written = range.getBoundingClientRect()
    return Math.abs(at > 0 ? column.right - written.right : column.left - written.left)
  })
}
