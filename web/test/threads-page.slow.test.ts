import { expect } from 'chai'
import type { ThreadPayload } from '#shared/domain/payloads/threads.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, showHomeOnPhone, shown } from '#shared/test-kit/visible.ts'

describe('the page of threads', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let lunch: number
  let plan: number

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    bob = await stack.person('bob')
    ada = await stack.signedIn('ada')
    lunch = await ada.http.send('general', 'where do we eat?')
    plan = await bob.send('design', 'a plan of the bank')
    await ada.http.send('design', 'I have one', { reply_to_id: String(plan) })
    await ada.page.goto('/#/c/design')
    await shown(ada.heading.getByText('design'))
    await reply(lunch, 'general', 'at the harbour')
  })
  after(() => stack?.close())

  const reply = (root: number, channel: string, text: string) =>
    bob.send(channel, text, { reply_to_id: String(root) })
  const row = () => ada.page.getByRole('button', { name: /^Threads/ })
  const item = (text: string) => ada.page.locator('.threads-page .thread-item', { hasText: text })
  const texts = () => ada.page.locator('.threads-page .thread-item-text').allInnerTexts()
  const thread = () => ada.page.locator('.thread-panel')
  const replies = () => thread().locator('.thread-rows article .message-text')
  const unreadOf = async (root: number) => (await ada.http.get<ThreadPayload>(`/thread/${root}`)).unread
  const hash = () => new URL(ada.page.url()).hash

  it('lists unread ones first, opens one beside it, and keeps the focus in the list', async () => {
    const { page } = ada
    await shown(row().getByText('1', { exact: true }))
    await row().click()
    await shown(page.getByRole('heading', { name: 'Threads', level: 1 }))
    await shown(page.getByText('1 unread', { exact: true }))
    await eventually(async () =>
      expect(await texts()).to.deep.equal(['where do we eat?', 'a plan of the bank']),
    )
    await focusIsOn(page, '.thread-item')
    await expectAccessible(page)

    await page.keyboard.press('Enter')
    await shown(thread().getByText('1 new'))
    await shown(replies().getByText('at the harbour'))
    expect(hash()).to.equal(`#/threads/c/general/m/${lunch}`)
    await focusIsOn(page, `[data-thread="${lunch}"]`)
    await eventually(async () => expect(await unreadOf(lunch)).to.equal(0))
    await gone(page.getByText('1 unread', { exact: true }))
    await expectAccessible(page)
  })

  it('follows the thread that is open, though its channel is another, and leaves that channel unread', async () => {
    const { page } = ada
    await reply(lunch, 'general', 'the mill is closed')
    await shown(replies().getByText('the mill is closed'))
    await page.keyboard.press('ArrowRight')
    await focusIsOn(page, '.thread-panel h2')
    await thread().getByRole('textbox', { name: 'Reply', exact: true }).fill('then the harbour')
    await thread().getByRole('textbox', { name: 'Reply', exact: true }).press('Enter')
    await shown(replies().getByText('then the harbour'))
    // Writing reads the channel.
    await eventually(async () =>
      expect((await bob.messages('general')).map(message => message.content)).to.include('then the harbour'),
    )
    await bob.send('general', 'not in a thread')
    await shown(ada.sidebarRow('general').getByText(/\d/).first())
    // A press anywhere reads what is in view: here the thread alone.
    await page.keyboard.press('Shift')
    expect((await ada.http.get<Record<string, number>>('/channel_unreads'))['general']).to.be.greaterThan(0)
  })

  it('closes the thread and then the page by Esc or Back, and opens both again after a reload', async () => {
    const { page } = ada
    await page.reload()
    await shown(replies().getByText('then the harbour'))
    await shown(item('a plan of the bank'))
    await page.goBack()
    await gone(thread())
    expect(hash()).to.equal('#/threads')
    await page.goForward()
    await shown(replies().getByText('then the harbour'))
    await thread().locator('h2').focus()
    await page.keyboard.press('Escape')
    await gone(thread())
    await focusIsOn(page, `[data-thread="${lunch}"]`)
    await page.keyboard.press('Escape')
    await gone(ada.page.locator('.threads-page'))
    await shown(ada.heading.getByText('design'))
    expect(hash()).to.equal('#/c/design')
  })

  it('stays in order while replies come, tells of them, and moves by the keyboard', async () => {
    const { page } = ada
    await row().click()
    await eventually(async () =>
      expect(await texts()).to.deep.equal(['where do we eat?', 'a plan of the bank']),
    )
    await reply(plan, 'design', 'show me')
    await shown(item('a plan of the bank').getByText('show me'))
    expect(await texts()).to.deep.equal(['where do we eat?', 'a plan of the bank'])
    await page.getByRole('button', { name: '1 newer' }).click()
    await eventually(async () =>
      expect(await texts()).to.deep.equal(['a plan of the bank', 'where do we eat?']),
    )
    await item('a plan of the bank').focus()
    await page.keyboard.press('j')
    await focusIsOn(page, `[data-thread="${lunch}"]`)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('e')
    await eventually(async () => expect(await unreadOf(plan)).to.equal(0))
    await gone(item('a plan of the bank').locator('.unread-badge'))
  })

  it('is amber for what names the viewer, though a later reply does not', async () => {
    await reply(lunch, 'general', 'is that right, @ada?')
    await reply(lunch, 'general', 'I think so')
    const badge = item('where do we eat?').locator('.unread-badge.is-mention')
    await shown(badge.getByText('@1', { exact: true }))
    await shown(item('where do we eat?').getByText('I think so'))
    await ada.http.postJson(`/thread/${lunch}/read`, {})
    await ada.page.reload()
    await shown(item('where do we eat?').getByText('I think so'))
    await gone(badge)
  })

  it('leaves a thread by F, which can be undone, and moves the focus on', async () => {
    const { page } = ada
    const following = async () => (await ada.http.get<ThreadPayload>(`/thread/${plan}`)).following
    await item('a plan of the bank').focus()
    await page.keyboard.press('f')
    await gone(item('a plan of the bank'))
    await focusIsOn(page, `[data-thread="${lunch}"]`)
    await eventually(async () => expect(await following()).to.equal(false))
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown(item('a plan of the bank'))
    await eventually(async () => expect(await following()).to.equal(true))
  })

  it('lists those that the viewer started alone', async () => {
    await ada.page.getByRole('button', { name: 'Started by me' }).click()
    await eventually(async () => expect(await texts()).to.deep.equal(['where do we eat?']))
    await ada.page.getByRole('button', { name: 'Following', exact: true }).click()
    await eventually(async () => expect(await texts()).to.have.length(2))
  })

  it('shows all of them as read, which can be undone before the server is told', async () => {
    const { page } = ada
    await reply(plan, 'design', 'once more')
    const badge = item('a plan of the bank').locator('.unread-badge')
    await shown(badge)
    await page.getByRole('button', { name: 'All read' }).click()
    await gone(badge)
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown(badge)
    expect(await unreadOf(plan)).to.equal(1)
    await page.getByRole('button', { name: 'All read' }).click()
    await eventually(async () => expect(await unreadOf(plan)).to.equal(0), 60_000)
    await gone(row().getByText('1', { exact: true }))
  })

  it('keeps what a press before has read when a second one is undone', async () => {
    const { page } = ada
    const first = item('a plan of the bank').locator('.unread-badge')
    const second = item('where do we eat?').locator('.unread-badge')
    await reply(plan, 'design', 'before the first press')
    await shown(first)
    await page.getByRole('button', { name: 'All read' }).click()
    await gone(first)
    await reply(lunch, 'general', 'before the second press')
    await shown(second)
    await page.getByRole('button', { name: 'All read' }).click()
    await gone(second)
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown(second)
    // Without this the first press would be told after its ten seconds.
    await eventually(async () => expect(await unreadOf(plan)).to.equal(0), 8_000)
    await gone(first)
    expect(await unreadOf(lunch)).to.equal(1)
    await ada.http.postJson(`/thread/${lunch}/read`, {})
    await gone(second)
  })

  it('shows all of them as read, of which a page that is closed at once tells the server', async () => {
    const { page } = ada
    await reply(plan, 'design', 'before the page is closed')
    const badge = item('a plan of the bank').locator('.unread-badge')
    await shown(badge)
    await page.getByRole('button', { name: 'All read' }).click()
    await gone(badge)
    await page.goto('about:blank')
    await eventually(async () => expect(await unreadOf(plan)).to.equal(0))
    await page.goto('/#/threads')
    await shown(item('a plan of the bank'))
  })

  it('offers no Undo once the server was told by a page that is put away, and comes back', async () => {
    const { page } = ada
    await reply(plan, 'design', 'before the page is put away')
    const badge = item('a plan of the bank').locator('.unread-badge')
    await shown(badge)
    await page.getByRole('button', { name: 'All read' }).click()
    await shown(page.getByRole('button', { name: 'Undo' }))
    const happens = (name: string) =>
      page.evaluate(type => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name)
    await happens('pagehide')
    // Within the time of the message, which lasts ten seconds.
    await eventually(
      async () => expect(await page.getByRole('button', { name: 'Undo' }).count()).to.equal(0),
      5_000,
    )
    await happens('pageshow')
    await eventually(async () => expect(await unreadOf(plan)).to.equal(0))
    await gone(badge)
  })

  it('gives way to a channel of the sidebar, also to the one behind it', async () => {
    await ada.sidebarRow('design').click()
    await gone(ada.page.locator('.threads-page'))
    await shown(ada.heading.getByText('design'))
  })

  it('is covered by its thread on a phone, where Back leads to the list', async () => {
    const { page } = ada
    await showHomeOnPhone(page)
    await row().click()
    await item('where do we eat?').click()
    await shown(replies().getByText('at the harbour'))
    await expectAccessible(page)
    await page.goBack()
    await gone(thread())
    await shown(item('where do we eat?'))
    await expectAccessible(page)
    await page.goBack()
    await gone(page.locator('.threads-page'))
  })
})
