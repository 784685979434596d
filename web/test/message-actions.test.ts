import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('the actions of a message', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let cleo: Person

  before(async () => {
    stack = await startFullStack()
    bob = await stack.person('bob')
    cleo = await stack.person('cleo')
    ada = await stack.signedIn('ada')
    await bob.send('general', 'plain words')
    await bob.send('general', 'an address: https://example.org/weir')
    const liked = await bob.send('general', 'a message that people like')
    await bob.react(liked, 'tada')
    await cleo.react(liked, 'tada')
    await cleo.react(liked, 'eyes')
    await shown(ada.row('people like').locator('[data-reaction=eyes]'))
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await stack?.close()
  })

  const menu = () => ada.page.getByRole('menu', { name: 'Message actions' })
  const tip = () => ada.page.locator('.reaction-tip')
  const chip = (name: string) => ada.row('people like').locator(`[data-reaction=${name}]`)

  it('open by right click, beside the pointer', async () => {
    const text = ada.row('plain words').getByText('plain words')
    await text.click({ button: 'right', position: { x: 20, y: 8 } })
    await shown(menu())
    const [box, from] = [(await menu().boundingBox())!, (await text.boundingBox())!]
    expect(box.x).to.be.closeTo(from.x + 20, 2)
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
    await gone(menu())
    await ada.row('people like').click({ button: 'right', position: { x: 400, y: 10 } })
    await shown(menu())
    const before = (await menu().boundingBox())!.x
    await ada.row('plain words').click({ button: 'right', position: { x: 200, y: 30 } })
    await eventually(async () => expect((await menu().boundingBox())!.x).to.be.below(before - 100))
    await ada.page.keyboard.press('Escape')
    await gone(menu())
  })

  it('open with Shift+F10 and the menu key', async () => {
    for (const key of ['Shift+F10', 'ContextMenu']) {
      await ada.row('plain words').focus()
      await ada.page.keyboard.press(key)
      await shown(menu().getByRole('menuitem', { name: 'Copy text' }))
      await ada.page.keyboard.press('Escape')
      await gone(menu())
      expect(await ada.row('plain words').evaluate(row => row.matches(':focus'))).to.equal(true)
    }
  })

  it('leave the browser’s own menu on links, on selected text and with Shift', async () => {
    const { page } = ada
    await page.evaluate(() => {
      const seen = globalThis as unknown as { taken: boolean[] }
      seen.taken = []
      addEventListener('contextmenu', event => seen.taken.push(event.defaultPrevented))
    })
    await ada
      .row('an address')
      .getByRole('link', { name: 'https://example.org/weir' })
      .click({ button: 'right' })
    await page.keyboard.down('Shift')
    await ada.row('plain words').getByText('plain words').click({ button: 'right' })
    await page.keyboard.up('Shift')
    await ada
      .row('plain words')
      .getByText('plain words')
      .dblclick({ position: { x: 8, y: 8 } })
    await ada
      .row('plain words')
      .getByText('plain words')
      .click({ button: 'right', position: { x: 8, y: 8 } })
    await eventually(async () =>
      expect(await page.evaluate(() => (globalThis as unknown as { taken: boolean[] }).taken)).to.deep.equal([
        false,
        false,
        false,
      ]),
    )
    expect(await menu().count()).to.equal(0)
    await page.evaluate(() => getSelection()?.removeAllRanges())
  })

  it('show who reacted at once, while a reaction is hovered or has the focus', async () => {
    await chip('tada').hover()
    await shown(tip().getByText('bob and cleo reacted with tada'))
    await expectAccessible(ada.page)
    await chip('eyes').hover()
    await shown(tip().getByText('cleo reacted with eyes'))
    expect(await tip().count()).to.equal(1)
    await ada.page.keyboard.press('Escape')
    await gone(tip())
    await ada.page.mouse.move(5, 5)
    await ada.row('people like').focus()
    await ada.page.keyboard.press('Tab')
    await focusIsOn(ada.page, '[data-reaction=tada]')
    await shown(tip().getByText('bob and cleo reacted with tada'))
    await ada.page.keyboard.press('Enter')
    await shown(tip().getByText('bob, cleo and you reacted with tada'))
    await ada.page.keyboard.press('Enter')
    await ada.composer.focus()
    await gone(tip())
    await chip('tada').hover()
    await shown(tip())
    await chip('eyes').hover()
    await shown(tip().getByText('cleo reacted with eyes'))
    // Longer than the pause in which the pointer may reach the tip.
    await ada.page.waitForTimeout(300)
    await ada.page.mouse.move(5, 5)
    await gone(tip())
  })

  it('open as a sheet after a long press on a phone, with the people who reacted', async () => {
    const { page } = ada
    await page.setViewportSize({ width: 390, height: 844 })
    const row = ada.row('people like')
    await row.dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true })
    const sheet = page.getByRole('dialog', { name: 'Message actions' })
    await shown(sheet.getByRole('button', { name: 'React with tada' }))
    await row.dispatchEvent('pointerup', { pointerType: 'touch', bubbles: true })
    await expectAccessible(page)
    await page.waitForTimeout(150)
    await sheet.getByRole('menuitem', { name: 'Reactions' }).click()
    const people = page.getByRole('dialog', { name: 'Reactions' })
    await shown(people.getByRole('group', { name: '2 people reacted with tada' }).getByText('bob'))
    await shown(people.getByRole('group', { name: '1 person reacted with eyes' }).getByText('cleo'))
    await expectAccessible(page)
    await page.goBack()
    await gone(people)
    await shown(ada.heading.getByText('general'))
  })
})
