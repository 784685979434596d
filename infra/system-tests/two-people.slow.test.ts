import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'

/** Two Chromium profiles, behind a front door with two api processes and two gateways. */
describe('two people talk in their browsers', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: BrowserUser

  before(async () => {
    stack = await startFullStack({ apis: 2, gateways: 2 })
    ada = await stack.user('ada')
    bob = await stack.user('bob')
  })
  after(() => stack?.close())

  const shown = (locator: Locator) => locator.first().waitFor({ state: 'visible' })
  const countOf = (locator: Locator, count: number) =>
    eventually(async () => expect(await locator.count()).to.equal(count))

  it('sign up, and see each other arrive', async () => {
    await ada.signUp(PASSWORD)
    await bob.signUp(PASSWORD)
    await shown(ada.row('bob joined'))
  })

  it('exchange messages, without a reload', async () => {
    await ada.say('morning, bob')
    await shown(bob.row('morning, bob'))
    await bob.say('morning, *ada*')
    await shown(ada.row('morning, ada'))
    await countOf(ada.row('morning, bob'), 1)
  })

  it('see each other typing', async () => {
    await bob.composer.pressSequentially('hm, let me')
    await shown(ada.page.getByText('bob is typing'))
    await bob.composer.fill('')
    await ada.page.getByText('bob is typing').waitFor({ state: 'hidden' })
  })

  it('see an edit, a reaction, a reply and a deletion', async () => {
    await ada.say('meet at tne weir')
    await shown(bob.row('meet at tne weir'))
    await ada.choose('meet at tne weir', 'Edit')
    const box = ada.page.getByRole('textbox', { name: 'Edit message' })
    await box.fill('meet at the weir')
    await box.press('Enter')
    await shown(bob.row('meet at the weir').getByText('(edited)'))

    await bob.row('meet at the weir').hover()
    await bob
      .row('meet at the weir')
      .getByRole('button', { name: /^React with/ })
      .first()
      .click()
    await shown(ada.row('meet at the weir').locator('.reaction-bar .reaction').first())

    await bob.act('meet at the weir', 'Reply')
    await bob.say('at noon?')
    await shown(ada.row('at noon?').locator('.reply-quote', { hasText: 'meet at the weir' }))

    await bob.choose('at noon?', 'Delete')
    await bob.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await shown(ada.page.getByText('Message deleted'))
    await countOf(ada.row('at noon?'), 0)
  })

  it('send a picture', async () => {
    const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await ada.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'weir.png', mimeType: 'image/png', buffer: bytes })
    await ada.say('the weir')
    const picture = bob.page.locator('article img[src^="/files/"]').last()
    await shown(picture)
    await eventually(async () =>
      expect(
        await picture.evaluate(img => (img as unknown as { naturalWidth: number }).naturalWidth),
      ).to.equal(60),
    )
  })

  it('find each other, and see unread counts and receipts change', async () => {
    await ada.page.getByRole('button', { name: 'New message' }).first().click()
    await ada.page.getByRole('combobox', { name: 'To' }).fill('bob')
    await ada.page.getByRole('option', { name: /bob/ }).click()
    await ada.page.getByRole('button', { name: 'Start' }).click()
    await ada.page.waitForURL(/#\/d\//)
    await ada.say('just us')
    const conversation = bob.page.locator('nav a', { hasText: 'ada' })
    await shown(conversation.locator('.unread-badge', { hasText: '1' }))
    await conversation.click()
    await shown(bob.row('just us'))
    await bob.page.mouse.move(400, 300)
    await bob.page.mouse.move(410, 310)
    await conversation.locator('.unread-badge').waitFor({ state: 'detached' })
    await shown(ada.page.getByRole('button', { name: 'Seen by bob' }))
  })

  it('lose nothing and see nothing twice while an api process and a gateway die', async () => {
    const total = 24
    for (let i = 0; i < total; i++) {
      await ada.say(`ada counts ${i}.`)
      await bob.say(`bob counts ${i}.`)
      if (i === 8) await stack.api[0]!.kill()
      if (i === 12) await stack.events[0]!.kill()
    }
    for (const user of [ada, bob]) {
      for (const name of ['ada', 'bob']) {
        for (let i = 0; i < total; i++) {
          await eventually(async () => {
            const texts = await user.page.locator('article .message-text').allTextContents()
            expect(texts.filter(text => text.trim() === `${name} counts ${i}.`)).to.have.length(1)
          }, 60_000)
        }
      }
    }
    // The page shows messages before the server has them.
    for (const user of [ada, bob]) await countOf(user.page.locator('[data-pending]'), 0)
    const rows = (await (
      await ada.page.request.get(`${stack.url}/messages/dm:ada:bob`)
    ).json()) as MessagePayload[]
    const texts = rows.map(row => row.content).filter(text => text?.includes('counts'))
    expect(texts).to.have.length(2 * total)
    expect(new Set(texts)).to.have.length(2 * total)
  })

  it('go on after a reload where they were', async () => {
    await bob.page.reload()
    await shown(bob.row('bob counts 23.'))
    await ada.say('back again?')
    await shown(bob.row('back again?'))
  })

  it('cause no error in the log of either page', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
