import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import type { Locator } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

interface Received {
  type: string
  signatures: number
}

/** In order: each test goes on where the one before ended. */
describe('outgoing hooks in the client', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let receiver: Server
  let running: RunningService[] = []
  let at: string
  /** The answer of the receiver. */
  let status = 200
  const received: Received[] = []

  before(async () => {
    receiver = createServer((req, res) => {
      let text = ''
      req.on('data', chunk => {
        text += chunk
      })
      req.on('end', () => {
        const { type } = JSON.parse(text) as { type: string }
        received.push({ type, signatures: String(req.headers['webhook-signature']).split(' ').length })
        res.writeHead(status).end()
      })
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    // By its text no address of hooks_allow.
    at = `localhost:${(receiver.address() as AddressInfo).port}`
    stack = await startFullStack({
      settings: { channels: ['general', 'design'], hooks_allow: ['127.0.0.0/8', '::1'] },
    })
    const { env } = stack.backing
    running = await Promise.all([startService('janitor', env), startService('previews', env)])
    ada = await stack.signedIn('ada')
    bob = await stack.person('bob')
    await ada.http.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    expect(ada.complaints).to.deep.equal([])
    await Promise.all(running.map(service => service.stop()))
    receiver?.close()
    receiver?.closeAllConnections()
    await stack?.close()
  })

  const row = () => ada.page.locator('.admin-row', { hasText: `Posts to ${at}` })
  const press = async (...keys: string[]) => {
    for (const key of keys) await ada.page.keyboard.press(key)
  }
  /** Presses Tab until the element has the focus, then the key. */
  async function use(one: Locator, key = 'Enter') {
    await shown(one)
    for (let step = 0; !(await one.evaluate(element => element === document.activeElement)); step++) {
      expect(step, String(one)).to.be.below(60)
      await press('Tab')
    }
    await press(key)
  }
  const choose = async (item: string) => {
    await ada.button('Actions for Deploys').click()
    await ada.page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const inDialog = (button: string) => ada.dialog.getByRole('button', { name: button, exact: true })
  const reopen = async () => {
    await ada.page.reload()
    await shown(row())
  }

  it('are made by keyboard alone, and show their secrets once', async () => {
    await ada.page.goto('/#/admin/integrations')
    await shown(ada.page.getByText('No outgoing hooks yet.'))
    await use(ada.button('New outgoing hook'))
    await shown(ada.dialog)
    await expectAccessible(ada.page)
    await press('Enter')
    await shown(ada.dialog.getByText('Type a name.'))
    await ada.page.keyboard.type('Deploys')
    await press('Tab')
    await ada.page.keyboard.type('ftp://tools.example')
    await press('Enter')
    await shown(ada.dialog.getByText('Type an address that begins with'))
    await press('Control+a')
    await ada.page.keyboard.type(`http://${at}/in`)
    await use(ada.dialog.getByRole('checkbox', { name: 'Edited messages' }), 'Space')
    await use(ada.dialog.getByRole('checkbox', { name: /^All public channels/ }), 'Space')
    await use(inDialog('Create hook'))
    await shown(ada.dialog.getByText('Choose at least one channel.'))
    await use(ada.dialog.getByRole('checkbox', { name: '#general' }), 'Space')
    await use(inDialog('Create hook'))
    const made = ada.page.getByRole('dialog', { name: 'Secret of Deploys' })
    await shown(made)
    await expectAccessible(ada.page)
    const secret = (await made.locator('code').first().textContent())!
    expect(secret).to.match(/^whsec_/)
    expect(await made.locator('code').nth(1).textContent()).to.match(/^[0-9a-f]{32}$/)
    await shown(made.getByText('The address is not public.'))
    await press('Escape')
    await gone(made)
    await shown(row().getByText(`Posts to ${at}, from #general`))
    expect(await ada.page.getByText(secret).count()).to.equal(0)
    await expectAccessible(ada.page)
  })

  it('tell what the address answered to a test', async () => {
    await choose('Send a test')
    await shown(ada.page.getByText('The address answered 200 after '))
    expect(received.at(-1)).to.deep.equal({ type: 'test', signatures: 1 })
  })

  it('list their deliveries, and send one again', async () => {
    status = 500
    await bob.send('design', 'not for the hook')
    await bob.send('general', 'deploy now')
    await eventually(() => expect(received.map(one => one.type)).to.include('message.created'))
    await ada.button('Deliveries of Deploys').focus()
    await press('Enter')
    const again = ada.dialog.getByRole('button', { name: /^Send again: New messages/ })
    // It is waiting when the dialog opens, and shows the outcome by itself.
    await shown(ada.dialog.getByText(/^Status 500 after \d+ ms\.$/))
    await shown(ada.dialog.getByText(/^Next try: /))
    expect(await again.count()).to.equal(1)
    await expectAccessible(ada.page)
    status = 200
    await use(again)
    await shown(ada.page.getByText('It is tried once more now.'))
    await shown(ada.dialog.getByText(/^Status 200 after \d+ ms\.$/))
    await shown(ada.dialog.locator('.person-tag', { hasText: 'Sent' }))
    expect(await again.evaluate(button => button === document.activeElement), 'keeps the focus').to.equal(
      true,
    )
    await ada.dialog.getByRole('combobox', { name: 'State' }).selectOption('Failed')
    await shown(ada.dialog.getByText('Nothing in the last seven days.'))
    await press('Escape')
    await gone(ada.dialog)
  })

  it('show how a delivery of long ago went that is sent again', async () => {
    const db = new pg.Client(stack.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update deliveries set state = 'failed', last_status = 500`)
    await db.query(
      `insert into deliveries (kind, target_id, event, state, attempt, last_status, next_try_ts, created_ts, done_ts)
       select kind, target_id, event, 'sent', 1, 200, created_ts, created_ts + n, created_ts + n
         from deliveries, generate_series(1, 250) n`,
    )
    await db.end()
    await ada.button('Deliveries of Deploys').click()
    const rows = ada.dialog.getByRole('listitem')
    await eventually(async () => {
      await rows.last().hover()
      await ada.page.mouse.wheel(0, 1_000)
      expect(await rows.count()).to.equal(251)
    })
    await shown(rows.last().getByText(/^Status 500/))
    await rows.last().getByRole('button').click()
    await shown(rows.last().getByText(/^Status 200/))
    expect(await rows.count()).to.equal(251)
    await press('Escape')
    await gone(ada.dialog)
  })

  it('are changed in the fields that differ', async () => {
    await choose('Edit')
    expect(await ada.dialog.getByRole('checkbox', { name: '#general' }).isChecked()).to.equal(true)
    await inDialog('Save').click()
    await gone(ada.dialog)
    await choose('Edit')
    await ada.dialog.getByRole('textbox', { name: 'First words' }).fill('deploy  !build')
    await ada.dialog
      .getByRole('combobox', { name: 'Form' })
      .selectOption('Slack and Mattermost (form fields)')
    await gone(ada.dialog.getByRole('checkbox', { name: 'Reactions', exact: true }))
    const sent = ada.page.waitForRequest(request => request.method() === 'PATCH')
    await inDialog('Save').click()
    expect((await sent).postDataJSON()).to.deep.equal({
      format: 'slack',
      events: ['message.created'],
      triggers: ['deploy', '!build'],
    })
    await gone(ada.dialog)
    await choose('Edit')
    await ada.dialog.getByRole('textbox', { name: 'First words' }).fill('')
    await ada.dialog.getByRole('combobox', { name: 'Form' }).selectOption('Standard Webhooks (JSON)')
    await inDialog('Save').click()
    await gone(ada.dialog)
  })

  it('get a new secret, with which the former one signs for a day', async () => {
    await choose('New secret')
    await inDialog('New secret').click()
    const made = ada.page.getByRole('dialog', { name: 'Secret of Deploys' })
    await shown(made)
    expect(await made.locator('code').count()).to.equal(1)
    expect(await made.locator('code').first().textContent()).to.match(/^whsec_/)
    await press('Escape')
    received.length = 0
    await bob.send('general', 'signed twice')
    await eventually(() =>
      expect(received).to.deep.include({ type: 'message.created', signatures: 2 } satisfies Received),
    )
  })

  it('are disabled, enabled and removed', async () => {
    await choose('Disable')
    await shown(row().getByText('Disabled'))
    await ada.button('Deliveries of Deploys').click()
    await shown(ada.dialog.getByText('New messages').first())
    expect(await ada.dialog.getByRole('button', { name: /^Send again/ }).count()).to.equal(0)
    await press('Escape')
    await choose('Enable')
    await gone(row().getByText('Disabled'))
    status = 410
    await bob.send('general', 'to an address that is gone')
    await eventually(async () => {
      await reopen()
      expect(await row().getByText('The address says that it is gone.').count()).to.equal(1)
    })
    await expectAccessible(ada.page)
    await choose('Remove')
    await inDialog('Remove').click()
    await shown(ada.page.getByText('No outgoing hooks yet.'))
    const focused = () => ada.page.evaluate(() => document.activeElement?.id)
    await eventually(async () =>
      expect(await focused(), 'the heading of the list').to.equal('outgoing-hooks'),
    )
  })

  it('say so when somebody else removed them meanwhile', async () => {
    const draft = { name: 'Deploys', url: 'https://tools.example/', events: ['message.created'] }
    const made = await ada.http.postJson('/hooks_out', draft)
    const { id } = (await made.json()) as { id: string }
    await ada.page.reload()
    await choose('Edit')
    await ada.dialog.getByRole('textbox', { name: 'Name' }).fill('Rollouts')
    expect((await ada.http.fetch(`/hooks_out/${id}`, { method: 'DELETE' })).status).to.equal(204)
    await inDialog('Save').click()
    await shown(ada.dialog.getByText('Deploys was removed meanwhile.'))
    await press('Escape')
    await shown(ada.page.getByText('No outgoing hooks yet.'))
  })

  it('read in German on a dark phone', async () => {
    const draft = { name: 'Deploys', url: 'https://tools.example/', events: ['message.created'] }
    expect((await ada.http.postJson('/hooks_out', draft)).status).to.equal(201)
    const page = await ada.page.context().newPage()
    await page.addInitScript(() => localStorage.setItem('bothy language', 'de'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    await page.goto('/#/admin/integrations')
    await shown(page.getByText('Sendet an tools.example'))
    await stack.backing.admin(
      'update hooks_out set failing_since = extract(epoch from clock_timestamp()) - 60',
    )
    await page.reload()
    await shown(page.locator('.integrations-failing', { hasText: /^Scheitert seit / }))
    await expectAccessible(page)
    expect(await width()).to.equal(390)
    await page.getByRole('button', { name: 'Neuer ausgehender Hook' }).click()
    await shown(page.getByRole('dialog', { name: 'Neuer ausgehender Hook' }))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sendungen von Deploys' }).click()
    await shown(page.getByText('Nichts in den letzten sieben Tagen.'))
    await expectAccessible(page)
    expect(await width()).to.equal(390)
    await page.close()
  })
})
