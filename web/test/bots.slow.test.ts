import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

/** In order: each test goes on where the one before ended. */
describe('the page of bots', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    await ada.http.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
    await stack?.close()
  })

  const row = (name: string, of = ada) => of.page.locator('.admin-row', { hasText: name })
  const open = async (of = ada) => {
    await of.page.goto('/#/admin/integrations')
    await shown(of.page.getByRole('heading', { level: 1, name: 'Integrations' }))
  }
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

  it('makes one by keyboard alone, and shows its token once', async () => {
    await open()
    await shown(ada.page.getByText('No bots yet.'))
    await expectAccessible(ada.page)
    await use(ada.button('New bot'))
    await shown(ada.dialog)
    await expectAccessible(ada.page)
    await ada.page.keyboard.type('deploy bot')
    await press('Enter')
    await shown(ada.dialog.getByText('Use 1 to 32 letters'))
    await ada.dialog.getByLabel('Username').fill('')
    await ada.page.keyboard.type('deploy-bot')
    await press('Tab')
    await ada.page.keyboard.type('Deployments')
    await press('Tab')
    await ada.page.keyboard.type('Tells of each deployment. Ask ada.')
    await use(ada.dialog.getByRole('button', { name: 'Create bot' }))
    const made = ada.page.getByRole('dialog', { name: 'Token of deploy-bot' })
    await shown(made)
    await expectAccessible(ada.page)
    const token = await made.locator('code').first().innerText()
    expect(token).to.match(/^bothy_/)
    expect(await made.locator('code').last().innerText())
      .to.include(`Bearer ${token}`)
      .and.include('/send/general')
    const posted = await fetch(`${stack.url}/send/general`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: new URLSearchParams({ text: 'Deployed 41.2' }),
    })
    expect(posted.status).to.equal(200)
    await press('Escape')
    await gone(made)
    await shown(row('deploy-bot').getByText('Owner: ada'))
    await ada.page.reload()
    await shown(row('deploy-bot').getByText('Last use: '))
  })

  it('is not counted among the people of a channel', async () => {
    await ada.page.goto('/#/c/general')
    await shown(ada.page.locator('.channel-header-members', { hasText: /^2 people/ }))
    await ada.http.postJson('/public_channels', { name: 'stones' })
    await ada.http.postJson('/hooks_in', { name: 'Weir', channel: 'stones' })
    await ada.page.goto('/#/c/stones')
    await shown(ada.page.locator('.channel-header-members', { hasText: '1 person' }))
    await ada.page.goto('/#/c/stones/people')
    await shown(ada.page.getByRole('tab', { name: 'People 1', exact: true }))
    const inList = (title: string) =>
      ada.page.getByRole('region', { name: title, exact: true }).locator('.details-person')
    await shown(inList('Bots').getByText('Weir'))
    await shown(inList('Here').getByText('ada'))
    expect([await inList('Here').count(), await inList('Bots').count()]).to.deep.equal([1, 1])
    await expectAccessible(ada.page)
    await open()
  })

  it('is written to, and not called', async () => {
    const call = ada.button('Start a voice call')
    await ada.page.goto('/#/d/ada,bob')
    await shown(ada.heading.getByText('bob'))
    await shown(call)
    await ada.page.goto('/#/d/ada,deploy-bot')
    await shown(ada.heading.getByText('Deployments'))
    await gone(call)
    await ada.composer.fill('/call')
    await ada.composer.press('Enter')
    await shown(ada.page.getByText('Calls are possible with people'))
    await ada.composer.fill('')
    await open()
  })

  it('changes its words and owner', async () => {
    await use(ada.button('Actions for deploy-bot'))
    await use(ada.page.getByRole('menuitem', { name: 'Edit' }))
    await shown(ada.dialog)
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('Description').fill('Tells of each deployment. Ask bob.')
    await ada.dialog.getByRole('button', { name: /ada/ }).click()
    await ada.dialog.getByRole('combobox', { name: 'Owner' }).fill('bob')
    await ada.page.getByRole('option', { name: /bob/ }).click()
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await gone(ada.dialog)
    await shown(row('deploy-bot').getByText('Owner: bob'))
    await shown(row('deploy-bot').getByText('Ask bob.'))
  })

  it('stands apart from the bots of hooks', async () => {
    await ada.http.postJson('/hooks_in', { name: 'CI', channel: 'general' })
    await open()
    const fold = ada.page.getByText('Bots of hooks: 2')
    await shown(fold)
    expect(await row('ci-hook').isVisible()).to.equal(false)
    await fold.click()
    await shown(row('ci-hook'))
    await expectAccessible(ada.page)
  })

  it('keeps its actions beside the words on a phone', async () => {
    await ada.page.setViewportSize({ width: 390, height: 844 })
    await ada.page.reload()
    await shown(row('deploy-bot'))
    await shown(row('Into #general'))
    const ends = await ada.page.locator('.admin-row:visible').evaluateAll(rows =>
      rows.map(one => {
        const last = one.lastElementChild!.getBoundingClientRect()
        const words = one.querySelector('div')!.getBoundingClientRect()
        return [Math.round(one.getBoundingClientRect().right - last.right), last.top < words.bottom]
      }),
    )
    for (const end of ends) expect(end).to.deep.equal([ends[0]![0], true])
    await ada.page.setViewportSize({ width: 1280, height: 800 })
  })

  it('is named a bot beside its messages, in the list of people and in its profile, with owner and words', async () => {
    await bob.page.goto('/#/c/general')
    const message = bob.row('Deployed 41.2')
    await shown(message.locator('.person-tag', { hasText: 'bot' }))
    await bob.page.goto('/#/c/general/people')
    await shown(bob.page.locator('[data-region=panel] .person-tag', { hasText: 'bot' }))
    await bob.page.goto('/#/people/deploy-bot')
    const profile = bob.page.getByRole('dialog', { name: /deploy-bot/ })
    await shown(profile.locator('.person-tag', { hasText: 'bot' }))
    await shown(profile.getByText('Owner: bob'))
    await shown(profile.getByText('Ask bob.'))
    await expectAccessible(bob.page)
    await profile.getByRole('button', { name: 'Manage bots' }).click()
    await shown(bob.page.getByRole('heading', { level: 1, name: 'Integrations' }))
    await shown(bob.button('Actions for deploy-bot'))
    expect(await bob.page.getByRole('link', { name: 'People' }).count(), 'no other page').to.equal(0)
  })

  it('makes another token, deactivates, reactivates and deletes', async () => {
    const choose = async (item: string) => {
      await bob.button('Actions for deploy-bot').click()
      await bob.page.getByRole('menuitem', { name: item }).click()
    }
    await choose('New token')
    const made = bob.page.getByRole('dialog', { name: 'Token of deploy-bot' })
    await shown(made)
    await bob.page.keyboard.press('Escape')
    await choose('Deactivate')
    await expectAccessible(bob.page)
    await bob.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await shown(row('deploy-bot', bob).getByText('Deactivated'))
    await expectAccessible(bob.page)
    await choose('Reactivate')
    await gone(row('deploy-bot', bob).getByText('Deactivated'))
    await choose('Delete')
    await bob.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await gone(row('deploy-bot', bob))
  })

  it('is told to be removed when somebody else deleted it meanwhile', async () => {
    expect((await ada.http.postJson('/bots', { username: 'brief-bot' })).status).to.equal(201)
    await ada.page.reload()
    await ada.button('Actions for brief-bot').click()
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click()
    await ada.dialog.getByLabel('Description').fill('Tells of little')
    expect((await ada.http.fetch('/bots/brief-bot', { method: 'DELETE' })).status).to.equal(204)
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await shown(ada.dialog.getByText('brief-bot was removed meanwhile.'))
    await ada.page.keyboard.press('Escape')
    await gone(row('brief-bot'))
  })

  it('is found by members who may make bots in their settings', async () => {
    await ada.http.patchJson('/admin/settings', { who_makes_bots: 'members' })
    await eventually(async () =>
      expect((await bob.http.get<{ may: string[] }>('/me')).may).to.include('make_bots'),
    )
    await bob.page.goto('/#/settings')
    await bob.dialog.getByRole('button', { name: 'Bots', exact: true }).click()
    await shown(bob.button('New bot'))
  })

  it('reads in German on a dark phone', async () => {
    await ada.http.postJson('/bots', { username: 'wetter-bot', description: 'Meldet Sturm und Pegel.' })
    const page = await ada.page.context().newPage()
    await page.addInitScript(() => localStorage.setItem('bothy language', 'de'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/#/admin/integrations')
    await shown(page.getByText('Zuständig: ada'))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Neuer Bot' }).click()
    await shown(page.getByRole('dialog', { name: 'Neuer Bot' }))
    await expectAccessible(page)
    await page.close()
  })
})
