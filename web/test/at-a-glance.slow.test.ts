import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

/** Names, cards, local times, pins, replies and the printed page: visible without a press. */
describe('at a glance', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let otti: Person
  let late: Person

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    // The first account owns the workspace.
    ada = await stack.signedIn('ada')
    otti = await stack.person('oq')
    late = await stack.person('late')
    const there = zoneAtNight()
    await otti.patchJson('/me', { display_name: 'Ottilie Quarz', title: 'Brand lead', timezone: there })
    await late.patchJson('/me', { display_name: 'Aaron Late' })
    for (let at = 0; at < 45; at++) await otti.send('general', `Line ${at} of the minutes`)
    await ada.page.reload()
    await shown(ada.row('Line 44 of the minutes'))
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await stack?.close()
  })

  const card = () => ada.page.getByRole('tooltip')

  it('shows the card of a person after a rest of the pointer on the name, and leaves the keyboard alone', async () => {
    const { page } = ada
    await ada.composer.focus()
    const name = ada.page.locator('#messages .message-row-head .person-button').last()
    await name.hover()
    await shown(card().getByText('Brand lead'))
    await shown(card().getByText('@oq'))
    await expectAccessible(page)
    // The focus has not moved.
    await page.keyboard.type('still here')
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('still here'))
    await gone(card())
    await ada.composer.fill('')
    // The pointer may go onto the card, and closes it by leaving.
    await page.mouse.move(700, 5)
    await name.hover()
    await shown(card())
    await card().hover()
    await shown(card())
    await page.mouse.move(5, 5)
    await gone(card())
    // A mention, too.
    await ada.http.send('general', 'Thanks @oq for the minutes')
    await ada.page.locator('#messages .mention', { hasText: 'Ottilie Quarz' }).hover()
    await shown(card().getByText('Brand lead'))
    // A press opens the profile with its actions in its place.
    await ada.page.locator('#messages .mention', { hasText: 'Ottilie Quarz' }).click()
    await shown(page.getByRole('dialog').getByRole('button', { name: 'Message' }))
    await gone(card())
    await page.keyboard.press('Escape')
  })

  it('tells in a conversation what time it is there at night', async () => {
    await otti.send('dm:ada:oq', 'Good night')
    await ada.page.goto('/#/d/ada,oq')
    await shown(ada.heading.getByText(/^\d.*\d.* there$/))
    await late.send('dm:ada:late', 'Hello')
    await ada.page.goto('/#/d/ada,late')
    await shown(ada.heading.getByText('Aaron Late'))
    expect(await ada.heading.getByText(/there$/).count()).to.equal(0)
    await ada.page.goto('/#/c/general')
  })

  it('has the pin above the message, and the face beside the name', async () => {
    const root = await late.send('general', 'Where is the projector?')
    const pinned = await otti.send('general', 'In the second drawer', { reply_to_id: String(root) })
    await ada.http.fetch(`/pin/${pinned}`, { method: 'PUT' })
    const row = ada.row('In the second drawer')
    const top = async (part: string) => (await row.locator(part).first().boundingBox())!.y
    await shown(row.getByText('Pinned by ada'))
    const [pin, quote, face, head] = await Promise.all(
      ['.pinned-by', '.reply-quote', ':scope > .person-button .avatar', '.message-row-head'].map(top),
    )
    expect(pin).to.be.lessThan(quote!)
    expect(quote).to.be.lessThan(head!)
    expect(Math.abs(face! - head!)).to.be.at.most(6)
  })

  it('shows no count under a message whose only reply is in sight', async () => {
    const root = ada.row('Where is the projector?').first()
    expect(await root.locator('.thread-summary').count()).to.equal(0)
    const { id } = await lastOf('Where is the projector?')
    await ada.http.send('general', 'Found it', { reply_to_id: String(id) })
    await shown(root.locator('.thread-summary', { hasText: '2 replies' }))
    // A reply far below is told of.
    const { id: far } = await lastOf('Line 20 of the minutes')
    await ada.http.send('general', 'About line 20', { reply_to_id: String(far) })
    await ada.page.goto(`/#/c/general/m/${far}`)
    await shown(ada.row('Line 20 of the minutes').locator('.thread-summary', { hasText: '1 reply' }))
    await ada.page.goto('/#/c/general')
  })

  const lastOf = async (text: string) =>
    (await ada.http.messages('general')).find(({ content }) => content === text)!

  it('prints the loaded conversation alone and whole', async () => {
    const { page } = ada
    await page.goto('/#/c/general')
    await shown(ada.row('In the second drawer'))
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    const paper = () =>
      page.evaluate(() => {
        const rows = [...document.querySelectorAll('#messages .message-text')]
        const isSeen = (selector: string) =>
          [...document.querySelectorAll(selector)].some(one => one.getClientRects().length > 0)
        return {
          lines: rows.filter(row => /Line \d+ of the minutes/.test(row.textContent)).length,
          isWhole: document.querySelector('#messages')!.scrollHeight <= document.documentElement.scrollHeight,
          sidebar: isSeen('.sidebar'),
          composer: isSeen('[data-region=composer]'),
          name: isSeen('[data-region=header] h1'),
          theme: document.documentElement.dataset['theme'],
        }
      })
    await eventually(async () =>
      expect(await paper()).to.deep.equal({
        lines: 45,
        isWhole: true,
        sidebar: false,
        composer: false,
        name: true,
        theme: 'light',
      }),
    )
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    await shown(ada.sidebarRow('general'))
    // The browser's own dialog does the same.
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).to.be.greaterThan(1)
    await shown(ada.composer)
  })

  it('offers people of a filter by the name that one sees', async () => {
    const { page } = ada
    await page.keyboard.press('Control+Shift+F')
    const field = ada.panel.getByRole('combobox').first()
    await field.fill('from:Otti')
    await shown(ada.panel.getByRole('option', { name: /Ottilie Quarz/ }))
    await page.keyboard.press('Enter')
    await shown(ada.panel.getByText('From Ottilie Quarz'))
    await page.keyboard.press('Escape')
    await ada.page.goto('/#/c/general')
  })

  it('tells private channels of one name apart, and says so before the second is made', async () => {
    const { page } = ada
    const make = async (name: string) => {
      await ada.http.postJson('/private_channels/create', { name, members: [] })
    }
    await make('Board')
    await shown(ada.sidebarRow('Board'))
    await ada.button('Browse or create channels').click()
    await page.getByRole('menuitem', { name: 'New channel' }).click()
    await ada.dialog.locator('.choice-card').nth(1).click()
    await ada.dialog.getByLabel('Name').fill('board')
    await shown(ada.dialog.getByText('You are in a private channel called board already.'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await make('Board')
    await shown(ada.sidebarRow('Board (2)'))
  })

  it('names nobody as a reader who joined later', async () => {
    await ada.http.send('general', 'Before Nina came')
    const nina = await stack.person('nina')
    await shown(ada.row('nina joined'))
    await ada.http.send('general', 'After Nina came')
    const read = (text: string) => ada.row(text).locator('.seen')
    await shown(ada.row('After Nina came'))
    expect(await read('Before Nina came').count()).to.equal(0)
    await nina.markRead('general')
    await shown(read('After Nina came'))
  })

  it('lists people of the administration by name, with the username behind it', async () => {
    await ada.page.goto('/#/admin/people')
    const names = ada.page.locator('.admin-person-name')
    await eventually(async () =>
      expect(await names.allTextContents()).to.deep.equal(['Aaron Late', 'ada', 'nina', 'Ottilie Quarz']),
    )
    await shown(ada.page.locator('button.admin-person', { hasText: 'Ottilie Quarz' }).getByText('oq'))
    await expectAccessible(ada.page)
    await ada.page.goto('/#/admin/audit')
    await shown(ada.page.locator('.audit-entry').first())
    await ada.page.goto('/#/c/general')
  })
})

/** A zone whose clock stands between 23 and 1. */
function zoneAtNight(): string {
  const ahead = (23 - new Date().getUTCHours() + 24) % 24
  // Signs of these zones are reversed.
  return ahead === 0 ? 'Etc/GMT-1' : ahead <= 12 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`
}
