import { expect } from 'chai'
import type { TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { axeFindings, expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { Program, programOf, tokenOf } from '#shared/test-kit/program.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { settingsOf } from './settings.fixture.ts'

const SETTINGS = { channels: ['general', 'design'] }

describe('tokens in the client (interface 19.2)', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let settings: ReturnType<typeof settingsOf>
  let program: Program

  before(async () => {
    stack = await startFullStack({ settings: { ...SETTINGS, confirm_minutes: 0.05 } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    settings = settingsOf(bob.page)
  })
  after(() => stack?.close())

  const row = (name: string) => settings.dialog.getByRole('listitem').filter({ hasText: name })
  const making = () => bob.page.getByRole('dialog', { name: 'New token' })
  const made = (name: string) => bob.page.getByRole('dialog', { name: `Token for ${name}` })

  it('are made by keyboard alone after the password was given, and shown once with a command that works', async () => {
    const { keyboard } = bob.page
    await settings.open('Tokens')
    await shown(settings.dialog.getByText('You have no tokens.'))
    await eventually(async () => {
      const { confirmed_until } = await bob.http.get<{ confirmed_until: number | null }>('/session')
      expect(confirmed_until ?? 0).to.be.below(Date.now() / 1_000)
    })
    await settings.button('New token').focus()
    await keyboard.press('Enter')
    await focusIsOn(bob.page, 'input[name=name]')
    await keyboard.press('Enter')
    await shown(making().getByText('Type a name.'))
    await keyboard.type('Backup script')
    await keyboard.press('Tab')
    await keyboard.type('Read and')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.type('Only')
    await keyboard.press('Tab')
    await focusIsOn(bob.page, 'input[name=channels]')
    await keyboard.press('Enter')
    await shown(making().getByText('Choose at least one channel.'))
    await focusIsOn(bob.page, 'input[name=channels]')
    await keyboard.press('Space')
    expect(await axeFindings(bob.page, ['.app'])).to.deep.equal([])
    await keyboard.press('Enter')
    await focusIsOn(bob.page, '#confirm-password')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await shown(made('Backup script').getByText('Copy it now'))
    await focusIsOn(bob.page, '.token-secret .button-primary')
    expect(await axeFindings(bob.page, ['.app'])).to.deep.equal([])

    const [secret, command] = await made('Backup script').locator('code').allTextContents()
    program = new Program('bob', stack.url, secret!)
    expect(command).to.include(secret)
    expect(command).to.include(`${stack.url}/send/general`)
    await program.send('general', 'by the script')
    await bob.row('by the script').waitFor()
    expect((await program.fetch('/messages/design')).status).to.equal(404)

    await keyboard.press('Escape')
    await gone(made('Backup script'))
    await shown(row('Backup script').getByText('Reads and writes in #general'))
    expect(await bob.page.content()).to.not.include(secret)
  })

  it('that were lost on the way are not shown as if they were there', async () => {
    stack.backing.settings({ rate_limit_enabled: false, ...SETTINGS })
    await eventually(async () => {
      await bob.http.postJson('/confirm', { password: PASSWORD })
      const { confirmed_until } = await bob.http.get<{ confirmed_until: number }>('/session')
      expect(confirmed_until).to.be.above(Date.now() / 1_000 + 60)
    })
    let isLost = false
    await bob.page.route('**/tokens', async (route, request) => {
      if (request.method() !== 'POST' || isLost) return route.fallback()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await settings.button('New token').click()
    await making().getByRole('textbox', { name: 'Name' }).fill('Lost')
    await making().getByRole('button', { name: 'Create token' }).click()
    await shown(making().getByText('The token could not be created. Try again.'))
    await making().getByRole('button', { name: 'Create token' }).click()
    await shown(made('Lost').getByText('it did not arrive here'))
    await made('Lost').getByRole('button', { name: 'Done' }).click()
    const list = await bob.http.get<TokenPayload[]>('/tokens')
    expect(list.filter(({ name }) => name === 'Lost')).to.have.length(1)
  })

  it('are listed and ended by administrators', async () => {
    await ada.page.goto('/#/admin/integrations')
    const listed = ada.page.getByRole('row').filter({ hasText: 'Backup script' })
    await shown(listed.getByText('bob', { exact: true }))
    await shown(listed.getByText('Last used: Today'))
    await expectAccessible(ada.page)
    await ada.page.getByRole('button', { name: 'End Backup script' }).click()
    await shown(listed.getByText('Ended.'))
    expect((await program.fetch('/me')).status).to.equal(401)
    await ada.page.goto('/#/admin/audit')
    await shown(ada.page.getByText('Ended a token of').first())
  })

  it('are listed by administrators for one person alone', async () => {
    await ada.http.postJson('/confirm', { password: PASSWORD })
    await tokenOf(ada.http, { name: 'Of ada' })
    await ada.page.goto('/#/admin/integrations')
    const listed = (name: string) => ada.page.getByRole('row').filter({ hasText: name })
    const actsAs = ada.page.getByLabel('Acts as')
    await shown(listed('Of ada'))
    await actsAs.fill('bob')
    await gone(listed('Of ada'))
    await shown(listed('Backup script'))
    await actsAs.fill('nobody-here')
    await shown(ada.page.getByText('No tokens of nobody-here.'))
    await actsAs.fill('')
    await shown(listed('Of ada'))
  })

  it('end with the sessions of their person if that is chosen', async () => {
    const eve = await stack.person('eve')
    const script = await programOf(eve)
    const end = async (also: boolean) => {
      await ada.page.goto('/#/admin/people')
      await ada.page.getByRole('button', { name: 'Actions for eve' }).click()
      await ada.page.getByRole('menuitem', { name: 'End all sessions' }).click()
      const dialog = ada.page.getByRole('dialog', { name: 'End all sessions of eve?' })
      if (also) await dialog.getByLabel('Also end tokens').check()
      expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
      await dialog.getByRole('button', { name: 'End them' }).click()
      await gone(dialog)
    }
    await end(false)
    await eventually(async () => expect((await eve.fetch('/session')).status).to.equal(302))
    expect((await script.fetch('/me')).status).to.equal(200)
    await end(true)
    await eventually(async () => expect((await script.fetch('/me')).status).to.equal(401))
  })

  it('end by keyboard, and the focus stays in the dialog', async () => {
    await settings.close()
    await settings.open('Tokens')
    await shown(row('Backup script').getByText('Ended.'))
    await row('Lost').getByRole('button', { name: 'End Lost' }).focus()
    await bob.page.keyboard.press('Enter')
    await shown(settings.dialog.getByText('Lost works no more.'))
    await focusIsOn(bob.page, '.settings-foot .button-primary')
    await shown(row('Lost').getByText('Ended.'))
    expect(await axeFindings(bob.page, ['.app'])).to.deep.equal([])
    await settings.close()
  })

  it('are no page of a guest', async () => {
    await ada.http.postJson('/confirm', { password: PASSWORD })
    const change = await ada.http.patchJson('/admin/people/bob', { role: 'guest', channels: ['general'] })
    expect(change.status).to.equal(204)
    await settings.open('Profile')
    await gone(bob.page.locator('.settings-nav').getByRole('button', { name: 'Tokens' }))
  })
})
