import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { Program } from '#shared/test-kit/program.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('what happened to a person’s messages', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let cleo: Person
  let asked: number

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    bob = await stack.person('bob')
    cleo = await stack.person('cleo')
    await stack.person('dmitri')
    ada = await stack.signedIn('ada')
  })
  after(() => stack?.close())

  const tab = (name: string) => ada.panel.getByRole('tab', { name, exact: true })
  const items = () => ada.panel.locator('.activity-item')
  const row = () => ada.page.getByRole('button', { name: /^Activity/ })

  it('welcomes in a row are one line, which expands to all names', async () => {
    await shown(ada.row('bob, cleo and dmitri joined'))
    await stack.person('erin')
    const line = ada.row('bob, cleo and dmitri joined')
    await shown(ada.row('Welcome to bothy, ada!'))
    await shown(ada.row('erin joined'))
    expect(await line.locator('.joined-people-toggle').count()).to.equal(0)
    for (const name of ['frida', 'gus', 'hana']) await stack.person(name)
    const many = ada.row('erin, frida and 2 others joined')
    await shown(many)
    await many.getByRole('button', { name: 'Show all' }).click()
    await shown(ada.row('erin, frida, gus and hana joined'))
    await expectAccessible(ada.page)
    await ada.row('erin, frida, gus and hana joined').getByRole('button', { name: 'Show fewer' }).click()
    await shown(many)
  })

  it('mentions, replies and reactions are listed, and stay when read', async () => {
    asked = await ada.http.send('design', 'who reviews the watchdog?')
    const reply = await bob.send('design', 'I can', { reply_to_id: String(asked) })
    await cleo.send('design', 'thanks @ada')
    await bob.react(asked, 'tada')
    await shown(row().getByText('2 unread items'))
    await row().click()
    await eventually(async () => expect(await items().count()).to.equal(3))
    await focusIsOn(ada.page, '[data-region=panel] .result')
    expect(await ada.panel.locator('.activity-item.is-unread').count()).to.equal(3)
    await shown(items().first().getByText('bob reacted'))
    await expectAccessible(ada.page)

    await items().filter({ hasText: 'I can' }).click()
    await ada.page.waitForURL(new RegExp(`#/c/design/m/${reply}$`))
    await shown(ada.row('I can'))
    await eventually(async () =>
      expect(await items().filter({ hasText: 'I can' }).getAttribute('class')).to.not.include('is-unread'),
    )
    await ada.button('Mark all as read').click()
    await gone(ada.panel.locator('.activity-item.is-unread'))
    expect(await items().count()).to.equal(3)
    await gone(row().locator('.unread-badge'))
  })

  it('tabs list one kind each, by keyboard', async () => {
    await tab('All').focus()
    await ada.page.keyboard.press('ArrowRight')
    await focusIsOn(ada.page, '#activity-tab-mention')
    await eventually(async () => expect(await items().allInnerTexts()).to.have.length(1))
    await shown(items().getByText('thanks'))
    await ada.page.keyboard.press('ArrowRight')
    await shown(items().getByText('bob replied'))
    await ada.page.keyboard.press('ArrowRight')
    await shown(items().getByText('bob reacted'))
    await ada.page.keyboard.press('Escape')
    await gone(ada.panel)
  })

  it('a run of replies shows one quote, and the message their number', async () => {
    for (const text of ['me too', 'and me']) await cleo.send('design', text, { reply_to_id: String(asked) })
    await bob.send('design', 'all of us', { reply_to_id: String(asked) })
    await shown(ada.row('all of us'))
    await shown(ada.row('who reviews the watchdog?').first().getByText('4 replies'))
    expect(await ada.row('me too').locator('.reply-quote').count()).to.equal(1)
    for (const text of ['and me', 'all of us'])
      expect(await ada.row(text).locator('.reply-quote').count()).to.equal(0)
  })

  it('the author’s face is not a read receipt, and receipts add no line', async () => {
    await bob.send('design', 'short')
    await shown(ada.row('short'))
    expect(await ada.row('short').locator('.seen').count()).to.equal(0)
    const height = async () => (await ada.row('short').boundingBox())!.height
    const before = await height()
    await cleo.markRead('design')
    await shown(ada.row('short').locator('.seen'))
    expect(await height()).to.be.within(before - 1, before + 1)
  })

  it('a person who turns read receipts off is seen by nobody', async () => {
    await cleo.prefer({ share_read: false })
    await gone(ada.row('short').locator('.seen'))
    await ada.page.keyboard.press('Control+k')
    await ada.page.keyboard.type('settings')
    await ada.page.keyboard.press('Enter')
    const toggle = ada.page.getByRole('switch', { name: 'Show others what I have read' })
    await toggle.click()
    await eventually(async () => expect(await ada.http.get('/preferences')).to.include({ share_read: false }))
    expect(await toggle.getAttribute('aria-checked')).to.equal('false')
  })

  it('a file without text is listed by its whole name', async () => {
    const files = [{ name: '_minutes_of_may_.txt', bytes: 'all agreed' }]
    await bob.sendFiles('design', files, { reply_to_id: String(asked) })
    // The settings are open.
    await ada.page.keyboard.press('Escape')
    await row().click()
    await shown(items().getByText('_minutes_of_may_.txt', { exact: true }))
  })

  it('a text of a bot for one person names the bot and the channel, in German too', async () => {
    const made = await bob.postJson('/bots', { username: 'bell' })
    const { token } = (await made.json()) as { token: string }
    const bell = new Program('bell', bob.at, token)
    const draft = { channel: 'design', user: 'ada', text: 'Your build *failed*' }
    const told = await bell.postJson('/api/chat.postEphemeral', draft)
    expect(await told.json()).to.include({ ok: true })
    await ada.page.goto('/#/c/general')
    if (!(await ada.panel.isVisible())) await row().click()
    const item = items().filter({ hasText: 'Your build failed' })
    await shown(item.getByText('bell wrote to you alone'))
    expect(
      await item.locator('.icon').evaluate(icon => (icon as SVGGraphicsElement).getBBox().width),
    ).to.be.above(0)
    expect(await item.locator('.result-place').textContent()).to.match(/^in .*design$/)
    await expectAccessible(ada.page)
    const page = await ada.page.context().newPage()
    await page.addInitScript(() => localStorage.setItem('bothy language', 'de'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/')
    await page
      .locator('.tab-bar')
      .getByRole('button', { name: /^Aktivität/ })
      .click()
    await shown(page.getByText('bell hat nur dir geschrieben'))
    await expectAccessible(page)
    await page.close()
    await item.click()
    await ada.page.waitForURL(/#\/c\/design$/)
  })

  it('makes no page complain', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
