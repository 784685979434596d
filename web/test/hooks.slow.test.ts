import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

const CARDS = [
  {
    color: 'danger',
    pretext: 'Nightly build',
    author: 'Ada Lovelace',
    author_url: 'https://ci.example/people/ada',
    title: 'Build 4182 failed',
    url: 'https://ci.example/4182',
    text: 'Two of *914* tests. `bob` looks.',
    fields: [
      { title: 'Branch', value: 'main', short: true },
      { title: 'Duration', value: '12 min', short: true },
      { title: 'First failure', value: 'retention keeps pinned messages' },
    ],
    image: 'https://ci.example/4182.png',
    links: [
      { text: 'Log', url: 'https://ci.example/4182/log' },
      { text: 'Run again', url: 'javascript:alert(1)' },
    ],
    footer: 'ci.example',
    ts: 1_790_000_000,
  },
  { color: '#2e9052', text: 'Disk: *12 %* used' },
  {
    text: 'Probes of the mill',
    fields: Array.from({ length: 14 }, (_, at) => ({ title: `Probe ${at + 1}`, value: 'idle', short: true })),
  },
]
const FLAT = 'Nightly build\nAda Lovelace\n[Build 4182 failed](https://ci.example/4182)\nTwo of *914* tests.'

/** In order: each test goes on where the one before ended. */
describe('messages with cards', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    await ada.http.send('general', 'before')
    await ada.http.send('general', `The nightly build\n\n${FLAT}`)
    const extra = {
      bot: { name: 'ci', emoji: 'tada', hook_id: 1 },
      cards: CARDS,
      cards_at: 'The nightly build\n\n'.length,
    }
    await stack.backing.admin(
      `update messages set edited = 1, edited_ts = ts, extra = '${JSON.stringify(extra)}' where content like 'The nightly build%'`,
    )
  })
  after(async () => {
    expect(ada.complaints).to.deep.equal([])
    await stack?.close()
  })

  const message = () => ada.row('The nightly build')

  it('have name, emoji and cards in place of the flattened lines', async () => {
    await ada.page.goto('/#/c/general')
    await ada.page.reload()
    await shown(message().locator('.hook-card').first())
    expect(await message().locator('.hook-card').count()).to.equal(3)
    expect(await message().getByText('Build 4182 failed').count()).to.equal(1)
    await shown(message().locator('.message-row-head').getByText('ci', { exact: true }))
    await shown(message().locator('.message-row-head .person-tag', { hasText: 'bot' }))
    await shown(message().locator('.hook-sign', { hasText: '🎉' }))
    await shown(message().locator('strong', { hasText: '914' }))
    await shown(message().locator('.message-row-edited'))
    expect(await message().locator('.message-row-edited').count()).to.equal(1)
    await expectAccessible(ada.page)
  })

  it('link with noopener, and load nothing remote', async () => {
    const title = message().getByRole('link', { name: 'Build 4182 failed' })
    expect(await title.getAttribute('rel')).to.include('noopener')
    expect(await message().getByRole('link', { name: 'Picture' }).getAttribute('href')).to.equal(
      'https://ci.example/4182.png',
    )
    expect(await message().locator('img[src^="https://ci.example"]').count()).to.equal(0)
    expect(await message().getByText('Run again').count()).to.equal(0)
  })

  it('show twelve fields, and all by a button, which stays so', async () => {
    const fields = message().locator('.hook-card').last().locator('dt')
    const button = (name: string) => message().getByRole('button', { name })
    const height = async () => (await message().boundingBox())!.height
    expect(await fields.count()).to.equal(12)
    const folded = await height()
    await button('Show all 14 fields').scrollIntoViewIfNeeded()
    const top = (await message().boundingBox())!.y
    await button('Show all 14 fields').focus()
    await ada.page.keyboard.press('Enter')
    await shown(button('Show fewer'))
    expect(await button('Show fewer').getAttribute('aria-expanded')).to.equal('true')
    const hasFocus = () => button('Show fewer').evaluate(one => one === document.activeElement)
    expect(await hasFocus(), 'keeps the focus').to.equal(true)
    expect(await fields.count()).to.equal(14)
    expect(await height()).to.be.above(folded)
    expect((await message().boundingBox())!.y, 'the row stays in its place').to.be.closeTo(top, 1)
    await expectAccessible(ada.page)
    await ada.page.goto('/#/c/design')
    await gone(message())
    await ada.page.goto('/#/c/general')
    await shown(button('Show fewer'))
    await button('Show fewer').press('Enter')
    await shown(button('Show all 14 fields'))
    await eventually(async () => expect(await height()).to.equal(folded))
  })

  it('fit a dark phone and forced colours', async () => {
    await ada.page.emulateMedia({ colorScheme: 'dark' })
    await ada.page.setViewportSize({ width: 390, height: 844 })
    await shown(message().locator('.hook-card').last())
    await expectAccessible(ada.page)
    expect(await ada.page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390)
    await ada.page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await shown(message().locator('.hook-card').last())
    const bar = await message()
      .locator('.hook-card')
      .first()
      .evaluate(card => getComputedStyle(card).borderInlineStartWidth)
    expect(bar).to.equal('3px')
    await ada.page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
    await ada.page.setViewportSize({ width: 1280, height: 800 })
  })

  it('are searched by their flattened lines', async () => {
    await ada.page.goto('/#/search/Lovelace')
    await shown(
      ada.page
        .locator('[data-region=panel]')
        .getByText(/Lovelace/)
        .first(),
    )
    await gone(ada.page.locator('[data-region=panel] .hook-card'))
  })
})

/** In order: each test goes on where the one before ended. */
describe('incoming hooks', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let url: string

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(async () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
    await stack?.close()
  })

  const row = (of = ada) => of.page.locator('.admin-row', { hasText: 'CI' }).first()
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
  /** The address on the front door of the test. */
  const here = (address: string) => stack.url + new URL(address).pathname
  const post = (body: unknown) => fetch(here(url), { method: 'POST', body: JSON.stringify(body) })
  const choose = async (item: string) => {
    await ada.button('Actions for CI').click()
    await ada.page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  /** The panel of a hook, by its heading. */
  const panel = (title: string) => ada.page.getByRole('complementary', { name: title, exact: true })
  const address = async (of: Locator) => (await of.locator('.token-secret code').first().textContent())!
  const reopen = async () => {
    await ada.page.reload()
    await shown(row())
  }

  it('are made by keyboard alone, and show their address once', async () => {
    await ada.page.goto('/#/admin/integrations')
    await shown(ada.page.getByText('No incoming hooks yet.'))
    await expectAccessible(ada.page)
    await use(ada.button('New incoming hook'))
    const made = panel('New incoming hook')
    await focusIsOn(ada.page, '#hook-panel [name=name]')
    await expectAccessible(ada.page)
    await press('Enter')
    await shown(made.getByText('Type a name.'))
    await ada.page.keyboard.type('CI')
    await press('Escape')
    await shown(ada.page.getByRole('dialog', { name: 'Leave without saving?' }))
    await press('Escape')
    await gone(ada.dialog)
    await made.getByRole('textbox', { name: 'Name' }).focus()
    await press('Enter')
    await shown(made.getByText('Copy the address now'))
    await focusIsOn(ada.page, '#hook-panel .token-secret .button')
    await expectAccessible(ada.page)
    url = await address(made)
    expect(url).to.match(/\/hooks\/[a-z0-9]{32}$/)
    expect(await made.locator('.hook-command').textContent()).to.include(`'${url}'`)
    await made.getByText('Paste it into').click()
    await made.getByRole('combobox', { name: 'Paste it into' }).selectOption('Alertmanager')
    await shown(made.getByText('webhook_configs'))
    await press('Escape')
    await gone(made)
    await focusIsOn(ada.page, '.admin-row .admin-name')
    await shown(row().getByText('Never used.'))
    expect(await ada.page.getByText(url).count()).to.equal(0)
  })

  it('post messages with cards, as bots', async () => {
    await bob.page.goto('/#/c/general')
    const attachments = [
      { color: 'good', title: 'Tests', title_link: 'https://ci.example/1', text: 'All *green*' },
    ]
    expect((await post({ text: 'Build 7', username: 'runner', attachments })).status).to.equal(200)
    const message = bob.row('Build 7')
    await shown(message.locator('.hook-card strong', { hasText: 'green' }))
    await shown(message.locator('.message-row-head').getByText('runner', { exact: true }))
    await shown(message.locator('.person-tag', { hasText: 'bot' }))
    expect(await message.locator('.hook-card').count()).to.equal(1)
    expect(await message.getByText('Tests').count()).to.equal(1)
    await expectAccessible(bob.page)
  })

  it('are tried from the panel, where the message is said to arrive', async () => {
    await ada.button('New incoming hook').click()
    const made = panel('New incoming hook')
    await made.getByRole('textbox', { name: 'Name' }).fill('Alarms')
    await made.getByText('More', { exact: true }).click()
    await made.getByRole('textbox', { name: 'Template' }).fill('{{ gauge.name }} is {{gauge.state}}')
    await made.getByRole('button', { name: 'Create hook' }).click()
    await shown(made.locator('.hook-command', { hasText: '/template' }))
    const send = made.getByRole('button', { name: 'Send this' })
    await send.click()
    await shown(made.getByRole('status').getByText(/^Arrived in #general, [\d,]+ ms$/))
    await shown(bob.row('name is state'))
    await made.getByText('Slack form').click()
    await send.click()
    await shown(bob.row('Hello from a script'))
    const calls = made.getByRole('region', { name: 'Last calls' }).getByRole('listitem')
    await shown(calls.nth(1).getByText('Accepted'))
    expect(await calls.nth(1).textContent()).to.match(/Accepted.*test$/)
    await shown(ada.page.locator('.admin-row', { hasText: 'Alarms' }).getByText('2 messages.'))
    await made.getByRole('textbox', { name: 'Template' }).fill('{{ gauge.name }}')
    await made.getByRole('button', { name: 'Save' }).click()
    await gone(made)
    await ada.page.getByRole('button', { name: 'Alarms', exact: true }).click()
    await shown(panel('Alarms').getByText('It was shown when it was made.'))
    expect(await send.count(), 'without an address').to.equal(0)
    await panel('Alarms').getByRole('textbox', { name: 'Template' }).fill('another')
    await panel('Alarms').getByRole('button', { name: 'Discard' }).click()
    await gone(panel('Alarms'))
    await focusIsOn(ada.page, '.admin-name')
  })

  it('say in the word of the sender why a try was refused', async () => {
    const invisible = { name: 'Quiet', channel: 'general', template: '\u200b' }
    expect((await ada.http.postJson('/hooks_in', invisible)).status).to.equal(201)
    await ada.page.reload()
    await ada.page.getByRole('button', { name: 'Quiet', exact: true }).click()
    const quiet = panel('Quiet')
    await focusIsOn(ada.page, '#hook-panel h2')
    await shown(quiet.getByText('No calls in the last 7 days.'))
    await quiet.getByRole('button', { name: 'New address' }).click()
    await ada.dialog.getByRole('button', { name: 'New address' }).click()
    await focusIsOn(ada.page, '#hook-panel .token-secret .button')
    await quiet.getByRole('button', { name: 'Send this' }).click()
    await shown(quiet.getByRole('status').getByText('no_text'))
    const call = quiet.getByRole('region', { name: 'Last calls' }).getByRole('listitem')
    await shown(call)
    expect(await call.textContent()).to.match(/Refused: no_text.*test$/)
    await expectAccessible(ada.page)
    await ada.page.getByRole('button', { name: 'Alarms', exact: true }).click()
    const fields = panel('Alarms').getByRole('textbox')
    await shown(fields)
    expect(await fields.nth(0).inputValue()).to.equal('Alarms')
    expect(await fields.nth(1).inputValue()).to.equal('{{ gauge.name }}')
    await panel('Alarms').getByRole('button', { name: 'Done' }).click()
    await gone(panel('Alarms'))
  })

  it('say so when somebody else removed them meanwhile', async () => {
    const made = await ada.http.postJson('/hooks_in', { name: 'Brief', channel: 'general' })
    const { id } = (await made.json()) as { id: number }
    await ada.page.reload()
    await ada.page.getByRole('button', { name: 'Brief', exact: true }).click()
    const brief = panel('Brief')
    await brief.getByRole('textbox', { name: 'Name' }).fill('Briefer')
    expect((await ada.http.fetch(`/hooks_in/${id}`, { method: 'DELETE' })).status).to.equal(204)
    await brief.getByRole('button', { name: 'Save' }).click()
    await shown(brief.getByText('Brief was removed meanwhile.'))
    await shown(brief.getByText('The last calls could not be loaded.'))
    await expectAccessible(ada.page)
    await brief.getByRole('button', { name: 'Discard' }).click()
    await gone(brief)
    await gone(ada.page.getByRole('button', { name: 'Brief', exact: true }))
  })

  it('say when they were used and why they refused', async () => {
    expect((await post({ nothing: 'known' })).status).to.equal(400)
    await reopen()
    await shown(row().getByText('1 message. Last: '))
    await shown(row().getByText('Last refused: there was nothing to show.'))
  })

  it('show what a pasted body makes, and post nothing', async () => {
    await ada.button('Try CI').click()
    await ada.dialog.getByLabel('Body').fill('{"text":"Tried","attachments":[{"text":"*in* a card"}]}')
    await ada.dialog.getByRole('button', { name: 'Show the message' }).click()
    await shown(ada.dialog.locator('.hook-card strong', { hasText: 'in' }))
    await shown(ada.dialog.getByText('Tried'))
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('Body').fill('[]')
    await ada.dialog.getByRole('button', { name: 'Show the message' }).click()
    await shown(ada.dialog.getByText('Refused: '))
    await press('Escape')
    expect(await bob.page.locator('article', { hasText: 'Tried' }).count()).to.equal(0)
  })

  it('are disabled, get another address, sign for a while, and are removed', async () => {
    await choose('Disable')
    await shown(row().getByText('Disabled'))
    expect((await post({ text: 'off' })).status).to.equal(404)
    await choose('Enable')
    await gone(row().getByText('Disabled'))
    await choose('New address')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'New address' }).click()
    await shown(panel('CI').getByText('Copy the address now'))
    const before = url
    url = await address(panel('CI'))
    await press('Escape')
    await gone(panel('CI'))
    expect((await fetch(here(before), { method: 'POST', body: '{"text":"old"}' })).status).to.equal(404)
    expect((await post({ text: 'by the new address' })).status).to.equal(200)
    await choose('New signing secret')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'New signing secret' }).click()
    await shown(ada.page.getByRole('dialog', { name: 'Signing secret of CI' }))
    await press('Escape')
    await shown(row().getByText('Signed only'))
    expect((await post({ text: 'unsigned' })).status).to.equal(403)
    await choose('New signing secret')
    const dialog = ada.page.getByRole('dialog', { name: 'New signing secret for CI' })
    await dialog.getByLabel('Secret of the program').fill('short')
    await expectAccessible(ada.page)
    await dialog.getByRole('button', { name: 'New signing secret' }).click()
    await shown(dialog.getByText('Use 8 to 200 characters in one line.'))
    await dialog.getByLabel('Secret of the program').fill('secret of Sentry')
    await press('Enter')
    await shown(ada.page.getByText('CI accepts only signed bodies.'))
    const headers = { 'X-Gitlab-Token': 'secret of Sentry' }
    const signed = await fetch(here(url), { method: 'POST', headers, body: '{"text":"by its own secret"}' })
    expect(signed.status).to.equal(200)
    await choose('Remove signing secret')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Remove signing secret' }).click()
    await shown(ada.page.getByText('CI accepts bodies without a signature.'))
    await gone(row().getByText('Signed only'))
    await ada.button('Actions for CI').click()
    await shown(ada.page.getByRole('menuitem', { name: 'New signing secret' }))
    expect(await ada.page.getByRole('menuitem', { name: 'Remove signing secret' }).count()).to.equal(0)
    await press('Escape')
    expect((await post({ text: 'unsigned again' })).status).to.equal(200)
    await choose('Remove')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await gone(row())
  })

  it('are in the details of a private channel for its members', async () => {
    const made = await bob.http.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
    const { channel } = (await made.json()) as { channel: string }
    await bob.page.goto(`/#/p/${channel.replace('private:', '')}/about`)
    await bob.button('New incoming hook').click()
    await bob.dialog.getByRole('textbox', { name: 'Name' }).fill('CI')
    await bob.dialog.getByRole('button', { name: 'Create hook' }).click()
    await shown(bob.dialog.getByText('Copy the address now'))
    await expectAccessible(bob.page)
    url = await address(bob.dialog)
    await bob.page.keyboard.press('Escape')
    await shown(bob.page.locator('.details-hooks').getByText('Never used.'))
    await expectAccessible(bob.page)
    expect((await post({ text: 'in the den' })).status).to.equal(200)
    await shown(bob.row('in the den'))
    const loud = { name: 'Pager', channel, may_mention_everyone: true }
    expect((await ada.http.postJson('/hooks_in', loud)).status).to.equal(201)
    await bob.page.reload()
    await bob.button('Actions for Pager').click()
    const items = bob.page.getByRole('menuitem')
    await shown(items.first())
    expect(await items.allTextContents(), 'its right is of administrators').to.deep.equal([
      'Disable',
      'Remove',
    ])
    await bob.page.keyboard.press('Escape')
    await bob.page.goto('/#/c/general/about')
    await shown(bob.page.getByText('Copy link'))
    expect(await bob.button('New incoming hook').count(), 'not a manager of #general').to.equal(0)
  })

  it('are offered in the public channels that a member manages, and in private ones', async () => {
    await bob.http.postJson('/public_channels', { name: 'Tools' })
    await bob.page.goto('/#/admin/integrations')
    const offered = bob.page.getByRole('combobox', { name: 'Writes into' }).getByRole('option')
    await eventually(async () => {
      await bob.button('New incoming hook').click()
      const names = await offered.allTextContents()
      await bob.page.keyboard.press('Escape')
      expect(names).to.deep.equal(['#Tools', 'den'])
    })
  })

  it('read in German on a dark phone', async () => {
    const page = await ada.page.context().newPage()
    await page.addInitScript(() => localStorage.setItem('bothy language', 'de'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/#/admin/integrations')
    await shown(page.getByText('Eingehende Hooks'))
    await shown(page.getByText('angelegt von bob'))
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390)
    await page.close()
  })
})
