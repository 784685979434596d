import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('administration in the client', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({
      settings: { channels: ['general', 'design'], confirm_minutes: 0.05 },
      env: { FRONT_DOOR_HOST: 'office.localhost' },
    })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(() => stack?.close())

  const menuItem = (user: SignedIn, name: string) => user.page.getByRole('menuitem', { name })
  const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name })
  const asked = () => ada.page.getByRole('dialog', { name: 'Is it you?' })
  const openStatusMenu = (user: SignedIn) => user.page.locator('.sidebar-me-person').click()

  /** Waits until the server wants the password again. */
  const passwordForgotten = () =>
    eventually(async () => {
      const { confirmed_until } = await ada.http.get<{ confirmed_until: number | null }>('/session')
      expect(confirmed_until ?? 0).to.be.below(Date.now() / 1_000)
    })

  async function openPeople() {
    await ada.page.goto('/#/admin/people')
    await shown(row('bob'))
  }

  it('is in the menu of the owner, and not in that of a member', async () => {
    await openStatusMenu(bob)
    await shown(menuItem(bob, 'Sign out'))
    expect(await menuItem(bob, 'Administration').count()).to.equal(0)
    await bob.page.keyboard.press('Escape')
    await bob.page.goto('/#/admin/people')
    await bob.page.waitForURL(/#\/c\/general$/)
    await shown(bob.composer)
    await openStatusMenu(ada)
    await menuItem(ada, 'Administration').click()
    await shown(row('bob'))
    await ada.page.waitForURL(/#\/admin\/people$/)
    await expectAccessible(ada.page)
  })

  it('changes a role by keyboard alone after the password was given, and the person sees the new rights at once', async () => {
    const { keyboard } = ada.page
    await openPeople()
    await passwordForgotten()
    await ada.button('Actions for bob').focus()
    await keyboard.press('Enter')
    await focusIsOn(ada.page, '[role=menu] button')
    const option = ada.page.locator('[role=menuitemradio]:focus')
    for (let step = 0; (await option.textContent()) !== 'Admin'; step++) {
      expect(step).to.be.below(4)
      await keyboard.press('ArrowDown')
    }
    await keyboard.press('Enter')
    await focusIsOn(ada.page, '#confirm-password')
    await keyboard.type('Wrong-password-1')
    await keyboard.press('Enter')
    await shown(asked().getByText('That is not your password.'))
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await gone(asked())
    await shown(row('bob').getByText('Admin'))
    await openStatusMenu(bob)
    await shown(menuItem(bob, 'Administration'))
    await bob.page.keyboard.press('Escape')
  })

  it('invites by a link with a QR code; a repetition after a lost response makes no second link', async () => {
    await openStatusMenu(ada)
    await menuItem(ada, 'Invite people').click()
    let isLost = false
    await ada.page.route('**/invites', async (route, request) => {
      if (request.method() !== 'POST' || isLost) return route.fallback()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await ada.dialog.getByRole('button', { name: 'Create link' }).click()
    await shown(ada.dialog.getByText('The link could not be made'))
    await ada.dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await ada.dialog.locator('.admin-link code').textContent()
    await ada.page.unroute('**/invites')
    expect(url).to.match(/^http:\/\/office\.localhost:\d+\/invite\/[A-Za-z0-9]{16}$/)
    await shown(ada.dialog.locator('img[src$="qr.svg"]'))
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Done' }).click()
    await ada.page.getByRole('link', { name: 'Invitations' }).click()
    await shown(ada.page.getByText(url!.slice(url!.lastIndexOf('/') + 1)))
    expect(await ada.panel.locator('.invite-url').count()).to.equal(1)
    await ada.http.postJson('/invites', { role: 'guest', channels: ['design'] })
    await ada.page.getByRole('link', { name: 'Ready for the office?' }).click()
    const card = ada.page.locator('.ready-invite')
    await shown(card.locator('img[src$="qr.svg"]'))
    expect(await card.locator('code').textContent(), 'not the newer link for guests').to.equal(url)
    await shown(ada.page.locator('[data-check=secure]').getByText('This page is open on the server itself.'))
    await ada.page.getByRole('link', { name: 'Invitations' }).click()
  })

  it('a sign-up mode that was not confirmed goes back, and a confirmed one stays', async () => {
    const mode = (name: string) => ada.page.getByRole('radio', { name: new RegExp(`^${name}`) })
    await passwordForgotten()
    await ada.page.getByText('With a link', { exact: true }).click()
    await shown(asked())
    await ada.page.keyboard.press('Escape')
    await eventually(async () => expect(await mode('Anyone').isChecked()).to.equal(true))
    await ada.page.getByText('With a link', { exact: true }).click()
    await asked().getByLabel('Password').fill(PASSWORD)
    await ada.page.keyboard.press('Enter')
    await gone(asked())
    await eventually(async () => expect((await workspaceOf(bob)).signup_mode).to.equal('invite'))
    expect(await mode('With a link').isChecked()).to.equal(true)
    await expectAccessible(ada.page)
  })
  const workspaceOf = (user: SignedIn) => user.http.get<{ signup_mode: string }>('/workspace')

  it('deactivates somebody who is typing, and their tab is signed out; Undo lets them in again', async () => {
    await openPeople()
    await bob.composer.pressSequentially('half a sent')
    await ada.button('Actions for bob').click()
    await menuItem(ada, 'Deactivate').click()
    await shown(ada.dialog.getByText('1 session ends at once.'))
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Deactivate' }).click()
    await shown(bob.page.getByText('You were signed out'))
    await gone(row('bob'))
    await ada.button('Undo').click()
    await shown(row('bob'))
  })

  it('lists its acts in the audit log by name, subject and day, also in the file, and Escape leads back', async () => {
    await ada.page.getByRole('link', { name: 'Audit log' }).click()
    const entries = ada.page.locator('.audit-entry')
    await shown(entries.getByText('Deactivated'))
    await shown(entries.getByText('Created an invite link'))
    const role = entries.filter({ hasText: 'bob, Member to Admin' })
    await role.locator('summary').click()
    await shown(role.locator('dl > div', { hasText: 'Before' }).getByText('Member'))
    await shown(role.locator('dl > div', { hasText: 'After' }).getByText('Admin'))
    await shown(ada.page.getByRole('region', { name: 'Today' }).getByText('Deactivated'))
    await shown(ada.page.getByRole('heading', { name: 'Today', level: 2 }))
    await ada.page.getByLabel('What').selectOption('person')
    await ada.page.getByLabel('To', { exact: true }).fill('BOB')
    await gone(entries.getByText('Created an invite link'))
    await shown(entries.getByText('Deactivated'))
    await expectAccessible(ada.page)
    const file = await ada.page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')
    expect(file).to.equal('/admin/audit.csv?action=person&target=BOB')
    await ada.page.getByLabel('Since').fill('2099-01-01')
    await shown(ada.page.getByText('No entry matches.'))
    await ada.button('Clear the filters').click()
    await shown(entries.getByText('Created an invite link'))
    await ada.page.keyboard.press('Escape')
    await shown(ada.sidebarRow('design'))
    expect(ada.complaints).to.deep.equal([])
  })
})
