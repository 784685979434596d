import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

/** In order: each test goes on where the one before ended. */
describe('the commands of the workspace', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    await ada.http.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    expect(ada.complaints).to.deep.equal([])
    await stack?.close()
  })

  const row = () => ada.page.locator('.admin-row', { hasText: '/deploy' })
  const press = async (...keys: string[]) => {
    for (const key of keys) await ada.page.keyboard.press(key)
  }
  /** Presses Tab until the element has the focus, then Enter. */
  async function use(one: Locator) {
    await shown(one)
    for (let step = 0; !(await one.evaluate(element => element === document.activeElement)); step++) {
      expect(step, String(one)).to.be.below(60)
      await press('Tab')
    }
    await press('Enter')
  }

  it('are made by keyboard alone, once there is a bot, and show their secrets once', async () => {
    await ada.page.goto('/#/admin/integrations')
    await shown(ada.page.getByText('No commands beyond the built-in ones.'))
    await expectAccessible(ada.page)
    await use(ada.button('New command'))
    await shown(ada.dialog.getByText('Make a bot first'))
    await press('Escape')
    await ada.http.postJson('/bots', { username: 'deploy-bot' })
    await use(ada.button('New command'))
    await shown(ada.dialog.getByText('It posts the answers'))
    await expectAccessible(ada.page)
    await press('Enter')
    await shown(ada.dialog.getByText('Use 1 to 32 lower-case letters'))
    await ada.page.keyboard.type('/join')
    await press('Tab')
    await ada.page.keyboard.type('https://tools.example/deploy')
    await use(ada.dialog.getByRole('button', { name: 'Create command' }))
    await shown(ada.dialog.getByText('That name is taken.'))
    await ada.dialog.getByRole('textbox', { name: 'Name' }).fill('Deploy')
    await ada.dialog.getByRole('textbox', { name: 'Input' }).fill('[place]')
    await ada.dialog.getByRole('textbox', { name: 'Description' }).fill('Deploys a place')
    await press('Enter')
    const made = ada.page.getByRole('dialog', { name: 'Secret of /deploy' })
    await shown(made)
    await expectAccessible(ada.page)
    expect(await made.locator('code').first().textContent()).to.match(/^whsec_/)
    expect(await made.locator('code').count()).to.equal(2)
    await press('Escape')
    await gone(made)
    await shown(row().getByText('Asks tools.example'))
    await shown(row().getByText('/deploy [place]'))
    await shown(row().getByText('Never used'))
    const given = await ada.http.postJson('/command/general', { text: '/deploy x' })
    expect(given.status).to.equal(502)
    await ada.page.reload()
    await shown(row().getByText('No answer to the last one.'))
    await shown(row().getByText(/^Last use: \d\d?:\d\d/))
    await expectAccessible(ada.page)
  })

  it('are changed and removed', async () => {
    const choose = async (item: string) => {
      await ada.button('Actions for /deploy').click()
      await ada.page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Edit')
    await ada.dialog.getByRole('textbox', { name: 'Description' }).fill('Deploys anything')
    await ada.dialog.getByRole('textbox', { name: 'Address' }).fill('ftp://x')
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await shown(ada.dialog.getByText('begins with https:// or http://, without'))
    await ada.dialog.getByRole('textbox', { name: 'Address' }).fill('https://other.example/x')
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await shown(row().getByText('Deploys anything'))
    await shown(row().getByText('Asks other.example'))
    await choose('Remove')
    await expectAccessible(ada.page)
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await shown(ada.page.getByText('No commands beyond the built-in ones.'))
  })

  it('say so when somebody else removed them meanwhile', async () => {
    const command = { name: 'roll', url: 'https://other.example/x', bot: 'deploy-bot' }
    expect((await ada.http.postJson('/commands', command)).status).to.equal(201)
    await ada.page.reload()
    await ada.button('Actions for /roll').click()
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click()
    await ada.dialog.getByRole('textbox', { name: 'Description' }).fill('Back to the last one')
    expect((await ada.http.fetch('/commands/roll', { method: 'DELETE' })).status).to.equal(204)
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await shown(ada.dialog.getByText('/roll was removed meanwhile.'))
    await press('Escape')
    await shown(ada.page.getByText('No commands beyond the built-in ones.'))
  })

  it('read in German on a dark phone', async () => {
    const command = { name: 'wetter', url: 'https://wetter.example/', bot: 'deploy-bot', usage: '[Ort]' }
    expect((await ada.http.postJson('/commands', command)).status).to.equal(201)
    const page = await ada.page.context().newPage()
    await page.addInitScript(() => localStorage.setItem('bothy language', 'de'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/#/admin/integrations')
    await shown(page.getByText('Fragt wetter.example'))
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390)
    await page.getByRole('button', { name: 'Neuer Befehl' }).click()
    await shown(page.getByRole('dialog', { name: 'Neuer Befehl' }))
    await expectAccessible(page)
    await page.close()
  })
})
