import { expect } from 'chai'
import pg from 'pg'
import type { DraftPayload, SavedPayload, ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('pins, saved messages, scheduled messages and drafts', function () {
  this.timeout(240_000)
  let stack: FullStack
  let janitor: RunningService
  let db: pg.Client
  let ada: SignedIn
  let bob: Person

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    janitor = await startService('janitor', stack.backing.env)
    db = new pg.Client(stack.backing.env.DATABASE_URL)
    await db.connect()
    bob = await stack.person('bob')
    for (const text of ['release rule', 'watchdog budget', 'fire drill', 'grant report'])
      await bob.send('general', text)
    ada = await stack.signedIn('ada')
    await shown(ada.row('grant report'))
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await db?.end()
    await janitor?.stop()
    await stack?.close()
  })

  const page = () => ada.page
  const item = (name: string | RegExp) => page().getByRole('menuitem', { name })
  const sidebar = (name: string) => page().getByRole('navigation').getByRole('button', { name })
  const entry = (text: string) => ada.panel.locator('li', { hasText: text })
  /** An emptied composer keeps its draft after a pause: until then the server has none, and a later one would lose. */
  const noDraftWaits = () =>
    eventually(async () => {
      expect(await ada.composer.inputValue()).to.equal('')
      const [text, time] = await page().evaluate(
        key => [localStorage.getItem(`bothy draft ${key}`), localStorage.getItem(`bothy draft-time ${key}`)],
        'ada design',
      )
      expect(text).to.equal(null)
      expect(time).to.match(/ stored$/)
    })

  it('a pin stands above its message, is counted in the header, and listed in the details', async () => {
    await ada.choose('release rule', 'Pin to the channel')
    await shown(ada.row('release rule').getByText('Pinned by ada'))
    await bob.fetch(`/pin/${(await bob.messages('general')).find(row => row.content === 'fire drill')!.id}`, {
      method: 'PUT',
    })
    await page().getByRole('button', { name: 'Pins: 2 messages' }).click()
    await shown(entry('fire drill').getByText('Pinned by bob'))
    await expectAccessible(page())
    expect(await ada.panel.locator('.pin-card-text').allTextContents()).to.deep.equal([
      'fire drill',
      'release rule',
    ])
    await entry('release rule').getByRole('button', { name: 'Unpin' }).click()
    await gone(entry('release rule'))
    await gone(ada.row('release rule').getByText('Pinned by ada'))
    await shown(page().getByRole('button', { name: 'Pins: 1 message' }))
    await ada.panel.getByRole('button', { name: 'Close details' }).click()
  })

  it('a saved message is in Later, with a note and a reminder, until it is done', async () => {
    await ada.act('watchdog budget', 'Save for later')
    await shown(sidebar('Later'))
    await ada.row('grant report').hover()
    await ada.act('grant report', 'More actions')
    await item('Remind me').click()
    await item(/^In an hour/).click()
    await sidebar('Later').click()
    await shown(ada.panel.getByText('Coming up'))
    await shown(ada.panel.getByText('No reminder'))
    const saved = entry('watchdog budget')
    await saved.getByRole('button', { name: 'More actions' }).click()
    await item('Add a note').click()
    await saved.getByRole('textbox', { name: 'Note' }).fill('ask li-wen')
    await page().keyboard.press('Enter')
    await shown(saved.getByText('ask li-wen'))
    await expectAccessible(page())
    await entry('grant report').getByRole('button', { name: 'Remind me' }).click()
    await shown(page().locator('.menu-heading', { hasText: 'Remind me' }))
    await page().keyboard.press('Escape')
    await saved.getByRole('button', { name: 'Done' }).click()
    await gone(saved)
    await ada.panel.getByRole('button', { name: 'Done', exact: true }).first().click()
    await shown(entry('watchdog budget'))
  })

  it('a due reminder is in Activity, and first in Later', async () => {
    await db.query('update saved set remind_ts = extract(epoch from now()) where done_ts is null')
    await shown(sidebar('Activity').getByText('1 unread item'))
    await ada.panel.getByRole('button', { name: 'To do', exact: true }).click()
    await shown(entry('grant report').getByText(/^Due/))
    await sidebar('Activity').click()
    await shown(ada.panel.getByText('Reminder: bob'))
    await ada.panel.getByRole('link', { name: /Reminder: bob/ }).click()
    await page().keyboard.press('Escape')
  })

  it('a text is sent later: changed, and sent at once', async () => {
    const write = async (text: string) => {
      await ada.composer.fill(text)
      await page().getByRole('button', { name: 'Send later' }).click()
      await item(/^Tomorrow/).click()
      await shown(page().getByText(/^Will be sent: /))
      await eventually(async () => expect(await ada.composer.inputValue()).to.equal(''))
    }
    await write('core hours')
    await sidebar('Scheduled').click()
    const one = entry('core hours')
    await expectAccessible(page())
    await one.getByRole('button', { name: 'Edit the text' }).click()
    await ada.panel.getByRole('textbox', { name: 'Edit the text' }).fill('core hours over the holidays')
    await ada.panel.getByRole('button', { name: 'Save', exact: true }).click()
    await shown(entry('core hours over the holidays'))
    await entry('core hours over the holidays').getByRole('button', { name: 'Send now' }).click()
    await gone(entry('core hours over the holidays'))
    await eventually(async () => {
      const texts = (await bob.messages('general')).map(row => row.content)
      expect(texts.filter(text => text?.startsWith('core hours'))).to.deep.equal([
        'core hours over the holidays',
      ])
    })
    await page().keyboard.press('Escape')
  })

  it('the undo of a later sending keeps what was begun since, and a lost answer sends nothing twice', async () => {
    const waiting = async () => (await ada.http.get<Page<ScheduledPayload>>('/scheduled')).items
    await page().goto('/#/c/design')
    await shown(ada.heading.getByText('design'))
    await page().route('**/scheduled', async route => {
      await route.fetch()
      await route.abort()
      await page().unroute('**/scheduled')
    })
    await ada.composer.fill('valve test')
    for (const words of ['could not be scheduled', 'Will be sent: ']) {
      await page().getByRole('button', { name: 'Send later' }).click()
      await item(/^Tomorrow/).click()
      await shown(page().getByText(words))
    }
    expect((await waiting()).map(one => one.text)).to.deep.equal(['valve test'])
    await ada.composer.fill('begun since')
    await page().getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('valve test\nbegun since'))
    expect(await waiting()).to.deep.equal([])
    await ada.composer.fill('')
    await noDraftWaits()
    expect(await ada.http.get<DraftPayload[]>('/drafts')).to.deep.equal([])
  })

  it('a late response in another tab neither replaces newer text nor brings sent text back', async () => {
    const drafts = async () => (await ada.http.get<DraftPayload[]>('/drafts')).map(one => one.text)
    await page().goto('/#/c/design')
    await shown(ada.heading.getByText('design'))
    const tab = await page().context().newPage()
    await tab.goto('/#/c/general')
    await shown(tab.getByText('grant report').first())
    const held: (() => Promise<void>)[] = []
    const release = async () => {
      await eventually(() => expect(held.length).to.be.above(0))
      // Changes that follow each other may reach the tab as one or as several.
      for (const fulfil of held.splice(0)) await fulfil()
      await tab.evaluate(() => fetch('/version').then(one => one.text()))
    }
    await tab.route('**/drafts', async route => {
      const response = await route.fetch()
      held.push(() => route.fulfill({ response }))
    })
    const body = JSON.stringify({ text: 'from the phone', updated_ts: Date.now() / 1_000 })
    await ada.http.fetch('/drafts/design', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    await eventually(async () => {
      expect(held.length).to.be.above(0)
      expect(await ada.composer.inputValue()).to.equal('from the phone')
    })
    await ada.composer.fill('typed since')
    await eventually(async () => expect(await drafts()).to.deep.equal(['typed since']))
    await release()
    expect(await ada.composer.inputValue()).to.equal('typed since')
    await ada.composer.press('Enter')
    await shown(ada.row('typed since'))
    await eventually(async () => expect(await drafts()).to.deep.equal([]))
    await release()
    expect(await ada.composer.inputValue()).to.equal('')
    expect(await drafts()).to.deep.equal([])
    await tab.unrouteAll({ behavior: 'ignoreErrors' })
    await tab.close()
  })

  it('a failed one is amber with its reason, and may become a draft', async () => {
    const send_ts = Date.now() / 1_000 + 3_600
    await bob.postJson('/public_channels', { name: 'Ford' })
    for (const text of ['staff gauges', 'all readings'])
      await ada.http.postJson('/scheduled', { channel: 'ford', text, send_ts })
    expect((await bob.fetch('/channel_info/ford/archive', { method: 'POST' })).status).to.equal(204)
    await db.query(`update scheduled set send_ts = extract(epoch from now()) where state = 'waiting'`)
    await shown(sidebar('Scheduled').locator('.unread-badge'))
    await sidebar('Scheduled').click()
    await shown(entry('staff gauges').getByText('the channel was archived'))
    await expectAccessible(page())
    // The text is a draft before the message goes away, and stays one, once, when the response is lost.
    const device = () => page().evaluate(() => localStorage.getItem('bothy draft ada ford'))
    const kept: (string | null)[] = []
    await page().route('**/scheduled/*', async route => {
      kept.push(await device())
      await route.abort()
    })
    await entry('staff gauges').getByRole('button', { name: 'Keep as a draft' }).click()
    await shown(page().getByText('The change could not be saved. Try again.'))
    expect(kept).to.deep.equal(['staff gauges'])
    expect(await device()).to.equal('staff gauges')
    await page().unrouteAll({ behavior: 'ignoreErrors' })
    await entry('staff gauges').getByRole('button', { name: 'Keep as a draft' }).click()
    await gone(entry('staff gauges').getByRole('button', { name: 'Send now' }))
    expect(await device()).to.equal('staff gauges')

    // Or its text goes to another channel, where it is seen before it is sent.
    await entry('all readings').getByRole('button', { name: 'Choose another channel' }).click()
    const dialog = page().getByRole('dialog', { name: 'Choose another channel' })
    await shown(dialog.getByText('all readings'))
    await expectAccessible(page())
    await dialog.getByRole('combobox').fill('general')
    await page().keyboard.press('Enter')
    await shown(ada.heading.getByText('general'))
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('all readings'))
    await focusIsOn(page(), '#composer')
    expect((await ada.http.get<Page<ScheduledPayload>>('/scheduled')).items).to.deep.equal([])
    await ada.composer.fill('')
  })

  it('a failed one that becomes a draft stands behind what was typed a moment ago', async () => {
    await ada.http.postJson('/public_channels', { name: 'Yard' })
    const send_ts = Date.now() / 1_000 + 3_600
    await ada.http.postJson('/scheduled', { channel: 'yard', text: 'lock the gate', send_ts })
    expect((await ada.http.fetch('/channel_info/yard/archive', { method: 'POST' })).status).to.equal(204)
    await db.query(`update scheduled set send_ts = extract(epoch from now()) where state = 'waiting'`)
    await page().goto('/#/c/yard')
    await sidebar('Scheduled').click()
    await shown(entry('lock the gate').getByText('the channel was archived'))
    expect((await ada.http.fetch('/channel_info/yard/unarchive', { method: 'POST' })).status).to.equal(204)
    await ada.composer.waitFor({ state: 'attached' })
    await entry('lock the gate')
      .getByRole('button', { name: 'Keep as a draft' })
      .evaluate((button: HTMLElement) => {
        const field = document.querySelector<HTMLTextAreaElement>('#composer')!
        field.setRangeText('one more thing')
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        button.click()
      })
    await gone(entry('lock the gate').getByText('the channel was archived'))
    await page().keyboard.press('Escape')
    const both = 'one more thing\nlock the gate'
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal(both))
    const draft = async () =>
      (await ada.http.get<DraftPayload[]>('/drafts')).find(one => one.channel === 'yard')?.text
    await eventually(async () => expect(await draft()).to.equal(both))
    await ada.composer.fill('')
    await eventually(async () => expect(await draft()).to.equal(undefined))
  })

  it('one to a person shows the face of that person', async () => {
    const send_ts = Date.now() / 1_000 + 3_600
    await ada.http.postJson('/scheduled', { channel: 'dm:ada:bob', text: 'happy birthday', send_ts })
    await sidebar('Scheduled').click()
    await shown(entry('happy birthday').locator('.avatar'))
    await entry('happy birthday').getByRole('button', { name: 'Cancel sending' }).click()
    await gone(entry('happy birthday'))
    await page().keyboard.press('Escape')
  })

  it('a draft follows to another device, and the newer text wins', async () => {
    const drafts = () => ada.http.get<DraftPayload[]>('/drafts')
    await page().goto('/#/c/design')
    await shown(ada.heading.getByText('design'))
    await ada.composer.fill('gasket groove')
    await eventually(async () =>
      expect((await drafts()).find(one => one.channel === 'design')?.text).to.equal('gasket groove'),
    )
    const phone = await stack.signedIn(ada.http)
    await phone.page.goto('/#/c/design')
    await eventually(async () => expect(await phone.composer.inputValue()).to.equal('gasket groove'))
    await phone.composer.fill('gasket groove is too shallow')
    await eventually(async () =>
      expect(await ada.composer.inputValue()).to.equal('gasket groove is too shallow'),
    )
    await phone.composer.press('Enter')
    await shown(ada.row('gasket groove is too shallow'))
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal(''))
    await eventually(async () =>
      expect((await drafts()).some(one => one.channel === 'design')).to.equal(false),
    )
    // Blanks are no text: they neither replace a draft nor keep one away.
    await ada.composer.fill(' ')
    await phone.composer.fill('groove again')
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('groove again'))
    await ada.composer.fill('')
    await eventually(async () =>
      expect((await drafts()).some(one => one.channel === 'design')).to.equal(false),
    )
    expect(phone.complaints).to.deep.equal([])
    await phone.leave()
  })

  it('a key pressed at the moment when a composer with a draft appears counts', async () => {
    await page().goto('/#/c/design')
    await ada.composer.fill('torque')
    await page().goto('/#/c/general')
    await shown(ada.heading.getByText('general'))
    await page().evaluate(() => {
      const watcher = new MutationObserver(() => {
        const field = [...document.querySelectorAll('textarea')].find(one => one.value === 'torque')
        if (!field) return
        watcher.disconnect()
        field.setRangeText(' of the bolt', field.value.length, field.value.length)
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      })
      watcher.observe(document, { childList: true, subtree: true })
      location.hash = '#/c/design'
    })
    await shown(ada.heading.getByText('design'))
    const draft = async () =>
      (await ada.http.get<DraftPayload[]>('/drafts')).find(one => one.channel === 'design')?.text
    await eventually(async () => expect(await draft()).to.equal('torque of the bolt'))
    expect(await ada.composer.inputValue()).to.equal('torque of the bolt')
    await ada.composer.fill('')
    await eventually(async () => expect(await draft()).to.equal(undefined))
  })

  it('a key pressed at the moment when a composer was emptied counts', async () => {
    await page().goto('/#/c/design')
    await ada.composer.fill('torque of the bolt')
    await eventually(async () =>
      expect(await page().evaluate(() => localStorage.getItem('bothy draft ada design'))).to.equal(
        'torque of the bolt',
      ),
    )
    await ada.composer.evaluate(async element => {
      const field = element as HTMLTextAreaElement
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      // It is drawn within these, and no effect has run.
      for (let turn = 0; turn < 1_000; turn++) await Promise.resolve()
      field.setRangeText('n', 0, 0, 'end')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    })
    await shown(ada.row('torque of the bolt'))
    await eventually(async () =>
      expect(await page().evaluate(() => localStorage.getItem('bothy draft ada design'))).to.equal('n'),
    )
    expect(await ada.composer.inputValue()).to.equal('n')
    await ada.composer.fill('')
    await noDraftWaits()
  })

  it('a composer emptied at the moment when its draft is saved stays empty', async () => {
    await page().goto('/#/c/design')
    await ada.composer.evaluate(
      element =>
        new Promise<void>(resolve => {
          const field = element as HTMLTextAreaElement
          const write = Storage.prototype.setItem
          Storage.prototype.setItem = async function (key, value) {
            write.call(this, key, value)
            if (key !== 'bothy draft ada design') return
            Storage.prototype.setItem = write
            // It is drawn within these, and no effect has run.
            for (let turn = 0; turn < 1_000; turn++) await Promise.resolve()
            field.setRangeText('', 0, field.value.length)
            field.dispatchEvent(new InputEvent('input', { bubbles: true }))
            resolve()
          }
          field.setRangeText('half')
          field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        }),
    )
    await noDraftWaits()
  })

  it('a draft of a reply follows to another device, also one that was kept here alone', async () => {
    const drafts = async () =>
      (await ada.http.get<DraftPayload[]>('/drafts')).filter(one => one.thread_id !== 0)
    const root = await bob.send('general', 'which gasket?')
    const old = await bob.send('general', 'which bolt?')
    const field = (on: SignedIn) => on.panel.getByRole('textbox', { name: 'Reply', exact: true })
    await page().goto(`/#/c/general/m/${root}/thread`)
    await field(ada).fill('the thick one')
    await eventually(async () =>
      expect(await drafts()).to.deep.include.members([
        { ...(await drafts())[0]!, channel: 'general', thread_id: root, text: 'the thick one' },
      ]),
    )
    await page().evaluate(id => localStorage.setItem(`bothy draft ada thread ${id}`, 'M8'), old)
    await page().reload()
    await eventually(async () =>
      expect((await drafts()).map(one => [one.thread_id, one.text]).sort()).to.deep.equal([
        [root, 'the thick one'],
        [old, 'M8'],
      ]),
    )

    const phone = await stack.signedIn(ada.http)
    await phone.page.getByRole('button', { name: /^Drafts/ }).click()
    await phone.page
      .getByRole('listitem')
      .filter({ hasText: /Thread in.*the thick one/ })
      .getByRole('link')
      .click()
    await eventually(async () => expect(await field(phone).inputValue()).to.equal('the thick one'))
    await field(phone).fill('the thick one of the two')
    await page().goto(`/#/c/general/m/${root}/thread`)
    await eventually(async () => expect(await field(ada).inputValue()).to.equal('the thick one of the two'))
    await field(phone).press('Enter')
    await eventually(async () => expect(await field(ada).inputValue()).to.equal(''))
    await page().goto(`/#/c/general/m/${old}/thread`)
    await eventually(async () => expect(await field(ada).inputValue()).to.equal('M8'))
    await field(ada).fill('')
    await eventually(async () => expect(await drafts()).to.deep.equal([]))
    await phone.leave()
  })

  it('a saved message keeps its note although the list of saved ones cannot be loaded', async () => {
    const { id } = (await bob.messages('general')).find(row => row.content === 'release rule')!
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ note: 'for the audit', remind_ts: Date.now() / 1_000 + 86_400 })
    await ada.http.fetch(`/saved/${id}`, { method: 'PUT', headers, body })
    await page().goto('/#/c/general')
    await page().reload()
    await shown(ada.row('release rule'))
    await page().route('**/saved?*', route => route.abort())
    await ada.row('release rule').focus()
    await page().keyboard.press('s')
    await shown(page().locator('.toast'))
    await page().unroute('**/saved?*')
    const { items } = (await (await ada.http.fetch('/saved?state=open')).json()) as Page<SavedPayload>
    expect(items.find(({ message }) => message.id === id)?.note).to.equal('for the audit')
    await ada.http.fetch(`/saved/${id}`, { method: 'DELETE' })
  })

  it('/schedule in a thread replies to its root', async () => {
    const { id } = (await bob.messages('general')).find(row => row.content === 'fire drill')!
    await ada.row('fire drill').focus()
    await page().keyboard.press('t')
    const field = page().locator('#thread-composer')
    await field.fill('/schedule 23:58 the stairs first')
    await field.press('Enter')
    await eventually(async () => {
      const { items } = (await (await ada.http.fetch('/scheduled')).json()) as Page<ScheduledPayload>
      const sent = items.find(one => one.text === 'the stairs first')
      expect(sent?.reply_to_id).to.equal(id)
      await ada.http.fetch(`/scheduled/${sent!.id}`, { method: 'DELETE' })
    })
    await page().getByRole('button', { name: 'Close thread' }).click()
  })
})
