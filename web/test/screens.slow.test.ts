import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('rare screens have no findings of axe, in both themes', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let page: Page

  before(async () => {
    stack = await startFullStack({
      settings: { channels: ['general', 'design', 'deploys'] },
      chromium: FAKE_DEVICES,
    })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    page = ada.page
    const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#5f8a94' } })
      .png()
      .toBuffer()
    await bob.http.sendImages('general', [{ name: 'weir.png', bytes }], 'a picture')
    await bob.http.sendImages('general', [{ name: 'gauge.png', bytes }], 'another')
    await shown(ada.row('another').locator('img'))
  })
  after(() => stack?.close())

  const toGeneral = async () => {
    await page.goto('/#/c/general')
    await shown(ada.row('another'))
  }

  it('an unknown address, channel and person', async () => {
    for (const hash of ['nonsense', 'c/no-such-channel', 'd/ada,nobody', 'p/99']) {
      await page.goto(`/#/${hash}`)
      await shown(page.locator('.app-main .centred'))
      await expectAccessible(page)
    }
  })

  it('the menus of the sidebar, a profile, and both pickers of emoji', async () => {
    await toGeneral()
    await ada.sidebarRow('design').click({ button: 'right' })
    await shown(page.getByRole('menu'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.goto('/#/people/bob')
    await shown(page.getByRole('dialog', { name: /bob/ }))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await toGeneral()
    await ada.act('another', 'Add reaction')
    await shown(page.locator('.emoji-picker button'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await ada.button('Emoji').click()
    await shown(page.locator('.emoji-tones'))
    await expectAccessible(page)
    await page.locator('.emoji-picker').getByRole('combobox').fill('nothing like that')
    await shown(page.getByText('No emoji has that name.'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  it('the viewer with its film strip', async () => {
    await toGeneral()
    await ada.row('a picture').locator('.image-attachment-open').click()
    await shown(page.locator('.film-strip button'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await gone(page.locator('.film-strip'))
  })

  it('a region that cannot be drawn, on a phone as the whole view', async () => {
    const broken = await page.context().newPage()
    await broken.addInitScript(() => {
      const { createElementNS } = Document.prototype
      Document.prototype.createElementNS = function (this: Document, space: string, name: string) {
        if (name === 'h2') throw new RangeError('not drawn')
        return createElementNS.call(this, space, name)
      } as typeof createElementNS
    })
    const sentence = (where: string) => broken.locator(`.centred.is-${where}`)
    await broken.goto('/#/c/general/people')
    await shown(sentence('sidebar'))
    await shown(sentence('panel'))
    await expectAccessible(broken)
    await broken.setViewportSize({ width: 390, height: 844 })
    await eventually(async () =>
      expect(await sentence('panel').boundingBox()).to.deep.equal({ x: 0, y: 0, width: 390, height: 844 }),
    )
    await gone(sentence('sidebar'))
    await expectAccessible(broken)
    await broken.goto('about:blank')
    await broken.goto('/#/')
    await shown(sentence('sidebar'))
    await gone(sentence('panel'))
    await expectAccessible(broken)
    await broken.close()
  })

  it('a question on a phone is as high as its text', async () => {
    await ada.http.send('general', 'not for long')
    await toGeneral()
    await page.setViewportSize({ width: 390, height: 844 })
    await ada.row('not for long').press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await shown(page.locator('.dialog-narrow'))
    expect((await page.locator('.dialog-narrow').boundingBox())!.height).to.be.below(300)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await ada.row('not for long').press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await shown(page.locator('.edit-box textarea'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('a channel that is not on this device', async () => {
    await toGeneral()
    await page.context().setOffline(true)
    await ada.sidebarRow('deploys').click()
    await shown(page.getByText('#deploys is not on this device yet'))
    await expectAccessible(page)
    await page.context().setOffline(false)
    await gone(page.getByText('#deploys is not on this device yet'))
  })

  it('a ring, the stage of two, its menus, and the small call', async () => {
    await bob.page.goto('/#/d/ada,bob')
    await bob.button('Start a voice call').click()
    const ring = page.getByRole('alertdialog')
    await shown(ring)
    await expectAccessible(page)
    await ring.getByRole('button', { name: 'Answer' }).click()
    await shown(page.locator('.stage [data-person=bob]'))
    await expectAccessible(page)
    const inStage = (name: string) => page.locator('.stage').getByRole('button', { name, exact: true })
    await inStage('Choose microphone and speaker').click()
    await shown(page.locator('.popover'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await inStage('Keep the call in a corner').click()
    await shown(page.locator('.mini-call'))
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await page.locator('.mini-call').getByRole('button', { name: 'Back to the call' }).click()
    await shown(page.locator('.stage'))
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await inStage('Hang up').click()
    await gone(page.locator('.stage'))
  })

  it('cause no page errors', () => {
    const expected = (text: string) => /not drawn/.test(text)
    expect([...ada.complaints, ...bob.complaints].filter(text => !expected(text))).to.deep.equal([])
  })
})
