import { expect } from 'chai'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('forwarding a message', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let cleo: Person
  let den: string
  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    cleo = await stack.person('cleo')
    bob = await stack.signedIn('bob')
    ada = await stack.signedIn('ada')
    den = await ada.http.createPrivateChannel('Rev C board', ['bob'])
  })
  after(() => stack?.close())

  const dialog = () => ada.page.getByRole('dialog', { name: 'Forward this message' })
  const place = () => dialog().getByRole('combobox')
  const comment = () => dialog().getByLabel('Comment')
  const forward = () => dialog().getByRole('button', { name: 'Forward', exact: true })
  const newest = async (channel: string) =>
    (await ada.http.get<MessagePayload[]>(`/messages/${channel}?extra=1&limit=1`))[0]!

  it('by keys alone goes to another channel with a comment, and links to its source', async () => {
    const id = await cleo.send('general', 'the *watchdog* barks\n\nat night')
    await shown(ada.row('the watchdog barks'))
    await ada.row('the watchdog barks').focus()
    await ada.page.keyboard.press('Shift+F')
    await shown(dialog().getByText('the watchdog barks'))
    await expectAccessible(ada.page)
    await place().press('ArrowDown')
    await place().fill('desi')
    await shown(dialog().getByRole('option', { name: /design/ }))
    await place().press('Enter')
    await focusIsOn(ada.page, '#forward-comment')
    await expectAccessible(ada.page)
    await ada.page.keyboard.type('For you, @bob')
    await ada.page.keyboard.press('Enter')
    await gone(dialog())
    await ada.page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(ada.heading.getByText('design'))
    const card = ada.row('For you').locator('.forward-card')
    await shown(card.locator('strong', { hasText: 'watchdog' }))
    expect(await card.locator('.message-text').innerText()).to.include('at night')
    expect(await ada.row('For you').locator('.message-text').first().innerText()).to.equal('For you, @bob')
    await shown(card.getByRole('link', { name: 'Show in #general' }))
    await expectAccessible(ada.page)
    await card.getByRole('link', { name: 'Show in #general' }).click()
    await ada.page.waitForURL(new RegExp(`/#/c/general/m/${id}$`))
    await shown(ada.page.locator('article.is-flashing', { hasText: 'the watchdog' }))
  })

  it('asks before a private message reaches more people, who see no link to its source', async () => {
    await ada.http.send(den, 'not for everyone')
    await ada.page.goto(`/#/p/${den.slice('private:'.length)}`)
    await ada.row('not for everyone').click({ button: 'right' })
    await ada.page.getByRole('menuitem', { name: /^Forward/ }).click()
    await place().fill('general')
    await place().press('Enter')
    await forward().click()
    const question = 'This message is from Rev C board. In #general, people can read it who could not before.'
    await shown(dialog().getByText(question))
    expect((await newest('general')).content).to.not.include('not for everyone')
    await dialog().getByRole('button', { name: 'Choose another place', exact: true }).click()
    await gone(dialog().getByText(question))
    await place().fill('general')
    await place().press('Enter')
    await comment().press('Enter')
    await dialog().getByRole('button', { name: 'Forward it all the same' }).click()
    await gone(dialog())
    await bob.page.goto('/#/c/general')
    const card = (user: SignedIn) => user.row('not for everyone').locator('.forward-card')
    await shown(card(bob).getByRole('link', { name: 'Show in Rev C board' }))
    const stranger = await stack.signedIn(cleo)
    const asked = stranger.page.waitForResponse(response => response.url().includes('/linked_messages?ids='))
    await stranger.page.goto('/#/c/general')
    await shown(card(stranger).getByText('not for everyone'))
    expect((await (await asked).json()).unreadable).to.have.length(1)
    expect(await card(stranger).getByRole('link').count()).to.equal(0)
    expect(await card(stranger).innerText()).to.not.include('Rev C board')
    await stranger.leave()
  })

  it('arrives once although the first answer is lost, and keeps the comment', async () => {
    await cleo.send('general', 'once is enough')
    await ada.page.goto('/#/c/general')
    await shown(ada.row('once is enough'))
    await ada.row('once is enough').focus()
    await ada.page.keyboard.press('Shift+F')
    await place().fill('bob')
    await place().press('Enter')
    await comment().fill('look')
    let lost = 0
    await ada.page.route('**/forward/*', async route => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await forward().click()
    await shown(dialog().getByText('There was no answer from the server.'))
    expect(await comment().inputValue()).to.equal('look')
    await forward().click()
    await gone(dialog())
    await ada.page.unroute('**/forward/*')
    const rows = await ada.http.messages('dm:ada:bob')
    expect(rows.filter(row => row.content?.startsWith('look'))).to.have.length(1)
    await ada.page.goto('/#/d/ada,bob')
    await shown(ada.row('look').locator('.forward-card', { hasText: 'once is enough' }))
  })

  it('takes a picture along, on a phone and in German', async () => {
    const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await cleo.sendFiles('general', [{ name: 'tafel.png', bytes }])
    const phone = await stack.signedIn(ada.http, () => localStorage.setItem('bothy language', 'de'))
    await phone.page.setViewportSize({ width: 390, height: 844 })
    await phone.page.goto('/#/c/general')
    const row = phone.page.locator('#messages article').last()
    await shown(row.locator('img').last())
    await row.focus()
    await phone.page.keyboard.press('Enter')
    await phone.page.getByRole('menuitem', { name: /^Weiterleiten/ }).click()
    const form = phone.page.getByRole('dialog', { name: 'Diese Nachricht weiterleiten' })
    await form.getByRole('combobox').fill('desi')
    await expectAccessible(phone.page)
    await form.getByRole('option', { name: /design/ }).click()
    await form.getByRole('button', { name: 'Weiterleiten', exact: true }).click()
    await gone(form)
    await phone.page.goto('/#/c/design')
    const copy = phone.page.locator('#messages article').last()
    await shown(copy.getByRole('link', { name: 'Zeigen, in #general' }))
    await eventually(async () => expect(await copy.locator('.image-attachment img').count()).to.equal(1))
    expect(await copy.locator('.forward-card').innerText()).to.not.include('tafel.png')
    await expectAccessible(phone.page)
    await phone.leave()
  })
})
