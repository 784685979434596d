import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('administration in the client', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'], confirm_minutes: 0.05 } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(() => stack?.close())

  const menuItem = (user: SignedIn, name: string) => user.page.getByRole('menuitem', { name })
  const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name })
  /** Longer than `confirm_minutes`, after the password was last given. */
  const forgetPassword = () => ada.page.waitForTimeout(3_200)
  const openStatusMenu = (user: SignedIn) => user.page.locator('.sidebar-me-person').click()

  async function openPeople() {
    await ada.page.goto('/#/admin/people')
    await shown(row('bob'))
  }

  async function giveTheWrongThenTheRightPassword() {
    const asked = ada.page.getByRole('dialog', { name: 'Is it you?' })
    await asked.getByLabel('Password').fill('Wrong-password-1')
    await asked.getByRole('button', { name: 'Go on' }).click()
    await shown(asked.getByText('That is not your password.'))
    await asked.getByLabel('Password').fill(PASSWORD)
    await asked.getByRole('button', { name: 'Go on' }).click()
    await gone(asked)
  }

  it('is in the menu of the owner, and not in that of a member', async () => {
    await openStatusMenu(bob)
    await shown(menuItem(bob, 'Sign out'))
    expect(await menuItem(bob, 'Administration').count()).to.equal(0)
    await bob.page.keyboard.press('Escape')
    await openStatusMenu(ada)
    await menuItem(ada, 'Administration').click()
    await shown(row('bob'))
    await ada.page.waitForURL(/#\/admin\/people$/)
    await expectAccessible(ada.page)
  })

  it('changes a role after the password was given, and the person sees the new rights at once', async () => {
    await openPeople()
    await forgetPassword()
    await ada.button('Actions for bob').click()
    await ada.page.getByRole('menuitemradio', { name: 'Admin' }).click()
    await giveTheWrongThenTheRightPassword()
    await shown(row('bob').getByText('Admin'))
    await openStatusMenu(bob)
    await shown(menuItem(bob, 'Administration'))
    await bob.page.keyboard.press('Escape')
  })

  it('invites by a link with a QR code, and the invited person joins', async () => {
    await openStatusMenu(ada)
    await menuItem(ada, 'Invite people').click()
    await ada.dialog.getByRole('button', { name: 'Make a link' }).click()
    const url = await ada.dialog.locator('code').textContent()
    expect(url).to.match(/\/invite\/[A-Za-z0-9]{16}$/)
    await shown(ada.dialog.locator('img[src$="qr.svg"]'))
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Done' }).click()
    await ada.page.goto('/#/admin/invites')
    await ada.page.getByRole('tab', { name: 'Invitations' }).click()
    await shown(ada.page.getByText(url!))
    await forgetPassword()
    await ada.page.getByText('With a link', { exact: true }).click()
    const asked = ada.page.getByRole('dialog', { name: 'Is it you?' })
    await asked.getByLabel('Password').fill(PASSWORD)
    await ada.page.keyboard.press('Enter')
    await gone(asked)
    await expectAccessible(ada.page)
  })

  it('deactivates somebody who is typing, and their tab is signed out; Undo lets them in again', async () => {
    await openPeople()
    await bob.composer.pressSequentially('half a sent')
    await ada.button('Actions for bob').click()
    await menuItem(ada, 'Deactivate').click()
    await shown(bob.page.getByText('You were signed out'))
    await gone(row('bob'))
    await ada.button('Undo').click()
    await shown(row('bob'))
  })

  it('lists its acts in the audit log', async () => {
    await ada.page.getByRole('tab', { name: 'Audit log' }).click()
    await shown(ada.page.getByText('person.deactivated').first())
    await shown(ada.page.getByText('invite.created').first())
    await expectAccessible(ada.page)
  })
})
