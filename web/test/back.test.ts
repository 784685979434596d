import { expect } from 'chai'
import sharp from 'sharp'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('Back and addresses', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person

  before(async () => {
    stack = await startFullStack()
    ada = await stack.signedIn('ada')
    bob = await stack.person('bob')
    await ada.http.send('general', 'a message with a menu')
    await bob.send('dm:ada:bob', 'hello ada')
    await ada.page.goto('/#/d/ada,bob')
    await shown(ada.heading.getByText('bob'))
    await ada.sidebarRow('general').click()
    await shown(ada.heading.getByText('general'))
  })
  after(() => stack?.close())

  const back = () => ada.page.goBack()
  const hash = () => new URL(ada.page.url()).hash

  it('Back closes settings and the menu above a channel, and then leaves the channel', async () => {
    await ada.page.goto('/#/settings/appearance')
    const settings = ada.page.getByRole('dialog', { name: 'Settings' })
    await shown(settings.getByRole('heading', { name: 'Appearance' }))
    await settings.getByRole('button', { name: 'Keyboard' }).click()
    await ada.page.waitForURL(/#\/settings\/keyboard$/)
    await back()
    await gone(settings)
    expect(hash()).to.equal('#/c/general')
    await shown(ada.heading.getByText('general'))
    await ada.act('a message with a menu', 'More actions')
    const menu = ada.page.getByRole('menu', { name: 'Message actions' })
    await shown(menu)
    await back()
    await gone(menu)
    await shown(ada.heading.getByText('general'))
    await ada.page.goForward()
    expect(await menu.count()).to.equal(0)
    await back()
    await shown(ada.heading.getByText('bob'))
    await ada.page.goForward()
    await shown(ada.heading.getByText('general'))
  })

  it('Esc takes the entry of a dialog away', async () => {
    await ada.page.keyboard.press('Control+k')
    const jump = ada.page.locator('dialog.dialog')
    await shown(jump)
    await ada.page.keyboard.press('Escape')
    await gone(jump)
    await back()
    await shown(ada.heading.getByText('bob'))
    await ada.page.goForward()
    await shown(ada.heading.getByText('general'))
  })

  it('a panel has an address, and Back closes it before it leaves the channel', async () => {
    await ada.button('People in this channel').click()
    await shown(ada.panel)
    await ada.page.waitForURL(/#\/c\/general\/people$/)
    await ada.page.reload()
    await shown(ada.panel)
    await shown(ada.heading.getByText('general'))
    await back()
    await gone(ada.panel)
    await shown(ada.heading.getByText('general'))
    await ada.page.goForward()
    await shown(ada.panel)
    await ada.page.keyboard.press('Escape')
    await gone(ada.panel)
    expect(hash()).to.equal('#/c/general')
  })

  it('a profile has an address', async () => {
    await ada.page.goto('/#/people/bob')
    const card = ada.page.getByRole('dialog', { name: /bob/ })
    await shown(card)
    await ada.page.reload()
    await shown(card)
    await back()
    await gone(card)
    await shown(ada.heading.getByText('general'))
  })

  it('an unknown address says so and leads on', async () => {
    await ada.page.goto('/#/nonsense')
    await shown(ada.page.getByText('There is nothing at this address'))
    await ada.page.getByRole('link', { name: 'Go to #general' }).click()
    await shown(ada.heading.getByText('general'))
  })

  it('the image viewer has an address, and Back closes it', async () => {
    const background = { r: 90, g: 120, b: 60 }
    const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toBuffer()
    await ada.http.sendImages('general', [{ name: 'mill.png', bytes }])
    const viewer = ada.page.getByRole('dialog', { name: 'Image viewer' })
    await ada.page.locator('.gallery button, .image-attachment button').last().click()
    await shown(viewer)
    await ada.page.waitForURL(/#\/c\/general\/m\/\d+\/image$/)
    await ada.page.reload()
    await shown(viewer)
    await back()
    await gone(viewer)
    await shown(ada.heading.getByText('general'))
  })

  it('on a phone Back closes sheet and panel, and returns to the activity and to the list', async () => {
    const { page } = ada
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/#/')
    await page.reload()
    await ada.sidebarRow('general').click()
    await shown(ada.heading.getByText('general'))
    await ada.button('People in this channel').click()
    await shown(ada.panel)
    await back()
    await gone(ada.panel)
    await shown(ada.heading.getByText('general'))
    await ada.row('a message with a menu').press('Enter')
    const sheet = page.locator('.bottom-sheet')
    await shown(sheet)
    await back()
    await gone(sheet)
    await shown(ada.heading.getByText('general'))
    await back()
    await shown(ada.sidebarRow('general'))
    await bob.send('general', '@ada worth a call?')
    await page
      .locator('.tab-bar')
      .getByRole('button', { name: /^Activity/ })
      .click()
    await page.waitForURL(/#\/mentions$/)
    await ada.panel.locator('.result', { hasText: 'worth a call' }).click()
    await shown(page.locator('article.is-flashing', { hasText: 'worth a call' }))
    await back()
    await shown(ada.panel)
    await back()
    await gone(ada.panel)
    await shown(ada.sidebarRow('general'))
    await page.goto('/#/settings')
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('button', { name: 'Appearance' }).click()
    await shown(settings.getByRole('heading', { name: 'Appearance' }))
    await back()
    await shown(settings.getByRole('button', { name: 'Appearance' }))
    await back()
    await gone(settings)
  })
})
