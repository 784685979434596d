import { expect } from 'chai'
import sharp from 'sharp'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('edits and the focus', function () {
  this.timeout(120_000)
  let stack: FullStack
  let dora: SignedIn

  before(async () => {
    stack = await startFullStack()
    dora = await stack.signedIn('dora')
    await stack.person('bob')
  })
  after(() => stack?.close())

  it('an unsaved edit is kept like a draft, in other channels and over a reload', async () => {
    const { page } = dora
    const box = page.getByRole('textbox', { name: 'Edit message' })
    await page.goto('/#/c/general')
    await dora.say('the gate is shut')
    await shown(page.locator('article:not([data-pending])', { hasText: 'the gate is shut' }))
    await dora.composer.press('ArrowUp')
    await box.fill('the gate is open, nearly')
    await page.goto('/#/d/ada,dora')
    await gone(box)
    await page.goto('/#/c/general')
    await eventually(async () => expect(await box.inputValue()).to.equal('the gate is open, nearly'))
    await focusIsOn(page, '[data-region=composer] textarea')
    await page.reload()
    await dora.choose('the gate is shut', 'Edit')
    await focusIsOn(page, '.edit-box textarea')
    expect(await box.inputValue()).to.equal('the gate is open, nearly')
    await box.press('Escape')
    await gone(box)
    await dora.choose('the gate is shut', 'Edit')
    await eventually(async () => expect(await box.inputValue()).to.equal('the gate is shut'))
    await box.press('Escape')
  })

  it('the arrow key edits the last written message, not an older one, while it is being sent', async () => {
    const { page } = dora
    const box = page.getByRole('textbox', { name: 'Edit message' })
    await page.goto('/#/c/general')
    await dora.say('an older one')
    await shown(page.locator('article:not([data-pending])', { hasText: 'an older one' }))
    let letGo = () => {}
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    await page.context().route('**/send/general', async route => {
      await held
      await route.continue()
    })
    await dora.say('a newer one')
    await shown(page.locator('[data-pending]', { hasText: 'a newer one' }))
    await dora.composer.press('ArrowUp')
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await box.count()).to.equal(0)
    letGo()
    await eventually(async () => expect(await box.inputValue()).to.equal('a newer one'))
    await box.press('Escape')
    await page.context().unroute('**/send/general')
  })

  it('the focus moves to a neighbour when its element is removed', async () => {
    const { page } = dora
    await page.goto('/#/c/general')
    await dora.say('one wave')
    const row = page.locator('article:not([data-pending])', { hasText: 'one wave' })
    await row.focus()
    await row.press('1')
    await row.locator('.reaction.is-own').press('Enter')
    await gone(row.locator('.reaction.is-own'))
    await focusIsOn(page, 'article')
    const colour = { width: 2, height: 2, channels: 3, background: '#888' } as const
    const buffer = await sharp({ create: colour }).png().toBuffer()
    const image = { name: 'a.png', mimeType: 'image/png', buffer }
    await page.locator('input[type=file]').setInputFiles([image, { ...image, name: 'b.png' }])
    await dora.button('Remove a.png').press('Enter')
    await gone(dora.button('Remove a.png'))
    expect(await dora.button('Remove b.png').evaluate(one => one.matches(':focus'))).to.equal(true)
    await dora.button('Remove b.png').press('Enter')
    await focusIsOn(page, '[data-region=composer] textarea')
    await page.goto('/#/d/bob,dora')
    await dora.say('before it is closed')
    await shown(page.locator('article:not([data-pending])', { hasText: 'before it is closed' }))
    await page.goto('/#/c/general')
    await shown(dora.heading.getByText('general'))
    await page.locator('.sidebar-row-close').first().press('Enter')
    await focusIsOn(page, 'nav *')
    await dora.button('Undo').press('Enter')
    await focusIsOn(page, '[data-region=composer] textarea')
  })

  it('the shortcuts of a message also act from its buttons', async () => {
    const { page } = dora
    await page.goto('/#/c/general')
    const row = page.locator('article:not([data-pending])', { hasText: 'the gate is shut' })
    await row.press('2')
    await row.locator('.reaction.is-own').press('r')
    await shown(page.locator('.composer-context', { hasText: 'dora' }))
    await focusIsOn(page, '[data-region=composer] textarea')
    await page.keyboard.press('Escape')
    await row.locator('.reaction.is-own').press('Enter')
    await gone(row.locator('.reaction.is-own'))
  })

  it('cause no page errors', () => {
    expect([...dora.complaints]).to.deep.equal([])
  })
})
