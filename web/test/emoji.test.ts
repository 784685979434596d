import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('emoji', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack()
    ada = await stack.signedIn('ada')
  })
  after(() => stack?.close())

  const picker = () => ada.page.locator('.emoji-picker')
  const field = () => ada.page.getByRole('combobox', { name: 'Search emoji' })
  const written = () => ada.composer.inputValue()
  const becomes = (read: () => Promise<unknown>, value: unknown) =>
    eventually(async () => expect(await read()).to.deep.equal(value))
  const open = async () => {
    await ada.page.locator('.composer-bar').getByRole('button', { name: 'Emoji' }).click()
    await field().waitFor()
  }

  it('are in groups, nine frequent ones and the faces first', async () => {
    await open()
    // The picker is fetched after its pop-over has opened.
    await focusIsOn(ada.page, '.emoji-picker input')
    const groups = picker().getByRole('group')
    expect(await groups.first().getAttribute('aria-label')).to.equal('Frequently used')
    expect(await groups.first().getByRole('option').count()).to.equal(9)
    expect(await groups.nth(1).getAttribute('aria-label')).to.equal('Faces')
    expect(await groups.nth(1).getByRole('option').first().getAttribute('aria-label')).to.equal(
      'grinning face',
    )
    await expectAccessible(ada.page)
    await picker().getByRole('button', { name: 'Flags' }).click()
    await becomes(() => picker().locator('[aria-selected=true]').getAttribute('aria-label'), 'chequered flag')
    await ada.page.keyboard.press('Escape')
  })

  it('are found by name, best match first: heart and Enter insert ❤️', async () => {
    await open()
    await field().fill('heart')
    await field().press('Enter')
    await becomes(written, '❤️')
    await gone(picker())
    await ada.composer.fill('')
  })

  it('are found by German keywords', async () => {
    await open()
    await field().fill('Herz')
    await field().press('Enter')
    await becomes(written, '❤️')
    await ada.composer.fill('')
  })

  it('have the skin tone that was chosen, also after a reload', async () => {
    await open()
    await picker().getByRole('radio', { name: 'Medium dark' }).check({ force: true })
    await ada.page.reload()
    await ada.composer.waitFor()
    await open()
    await field().fill('clap')
    await field().press('Shift+Enter')
    await field().press('Enter')
    await becomes(written, '👏🏾👏🏾')
    await ada.composer.fill('')
  })

  it('complete after a colon with the same search', async () => {
    await ada.composer.pressSequentially(':heart')
    const options = ada.page.locator('.mention-menu').getByRole('option')
    await becomes(() => options.first().textContent(), '❤️:heart:')
    await ada.composer.press('Enter')
    await becomes(written, '❤️ ')
    await ada.composer.fill('')
  })

  it('for a reaction are all, under the names that the server gives some', async () => {
    await ada.say('the gate is shut')
    await shown(ada.page.locator('article:not([data-pending])', { hasText: 'the gate is shut' }))
    await ada.act('the gate is shut', 'Add reaction')
    await field().waitFor()
    await field().fill('heart')
    await field().press('Shift+Enter')
    await shown(ada.row('the gate is shut').locator('.reaction[data-reaction=heart]', { hasText: '❤️' }))
    await field().fill('otter')
    await field().press('Enter')
    await shown(ada.row('the gate is shut').locator('.reaction', { hasText: '🦦' }))
  })

  it('cause no page errors', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
