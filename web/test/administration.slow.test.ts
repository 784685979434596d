import { expect } from 'chai'
import sharp from 'sharp'
import { contrast } from '#shared/domain/accent.ts'
import { axeFindings, expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

const SETTINGS = { channels: ['general', 'design'], locked_settings: ['link_previews'] }

describe('the pages of the administration', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  /** Renames accounts. */
  let janitor: RunningService

  before(async () => {
    stack = await startFullStack({ settings: SETTINGS })
    janitor = await startService('janitor', stack.backing.env)
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(async () => {
    await janitor?.stop()
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
    return stack?.close()
  })

  const heading = (name: string) => ada.page.getByRole('heading', { level: 1, name })
  const setting = (key: string) => ada.page.locator(`[data-setting="${key}"]`)
  const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name })
  const menuItem = (name: string) => ada.page.getByRole('menuitem', { name })
  const link = (name: string) => ada.page.getByRole('link', { name })
  async function open(page: string, title: string) {
    await ada.page.goto(`/#/admin/${page}`)
    await shown(heading(title))
  }
  const workspace = () => bob.http.get<Record<string, unknown>>('/workspace')

  it('Settings: lists all with their source; those of the file alone and locked ones cannot be changed', async () => {
    await open('settings', 'Settings')
    await shown(setting('workspace_name'))
    const { items } = await ada.http.get<{ items: { key: string }[] }>('/admin/settings')
    expect(await ada.page.locator('[data-setting]').count()).to.equal(items.length)
    for (const key of ['channels', 'stun_port', 'link_previews'])
      expect(await setting(key).locator('input, select, button').count(), key).to.equal(0)
    await shown(setting('channels').getByText('general, design'))
    await shown(setting('retention_days').getByText('Default', { exact: true }))
    await expectAccessible(ada.page)
  })

  it('Settings: a name is saved with Enter, is everywhere at once, and Reset gives it back', async () => {
    const name = setting('workspace_name').getByRole('textbox')
    await name.fill('Hill House')
    await name.press('Enter')
    await shown(bob.page.locator('.sidebar .wordmark').getByText('Hill House'))
    await eventually(async () => expect(await bob.page.title()).to.include('· Hill House'))
    await shown(ada.page.getByText(/^Saved, /))
    await shown(setting('workspace_name').getByText('Chosen here. Default: bothy.'))
    await ada.button('Reset: Name').click()
    await shown(bob.page.locator('.sidebar .wordmark').getByText('bothy'))
    expect(await name.inputValue()).to.equal('bothy')
  })

  it('Settings: a refused value is named at its field, keeps what was typed, and changes nothing', async () => {
    const field = setting('session_idle_minutes').getByRole('textbox')
    await field.fill('2')
    await field.press('Enter')
    await shown(setting('session_idle_minutes').getByText(/from 5 to/))
    expect(await field.inputValue()).to.equal('2')
    expect(await field.getAttribute('aria-invalid')).to.equal('true')
    await expectAccessible(ada.page)
    await field.fill('soon')
    await field.press('Enter')
    await shown(setting('session_idle_minutes').getByText(/^A number from 5 to/))
    await field.press('Escape')
    await eventually(async () => expect(await field.inputValue()).to.equal(String(14 * 24 * 60)))
    await shown(heading('Settings'))
  })

  it('Settings: a switch is saved at once by keyboard; a refused one goes back and says why', async () => {
    const seenBy = setting('read_receipts').getByRole('switch')
    await seenBy.focus()
    await ada.page.keyboard.press('Space')
    await eventually(async () => expect((await workspace())['read_receipts']).to.equal(false))
    expect(await seenBy.getAttribute('aria-checked')).to.equal('false')
    await ada.page.route('**/admin/settings', (route, request) =>
      request.method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { code: 'forbidden' } })
        : route.fallback(),
    )
    await ada.page.keyboard.press('Space')
    await shown(setting('read_receipts').getByText('This can only be changed in settings.json.'))
    expect(await seenBy.getAttribute('aria-checked')).to.equal('false')
    await ada.page.unroute('**/admin/settings')
  })

  it('Settings: assistants connect while their switch is on', async () => {
    const door = async () => (await fetch(`${stack.url}/mcp`, { method: 'POST', body: '{}' })).status
    const assistants = setting('mcp_enabled').getByRole('switch')
    expect([await assistants.getAttribute('aria-checked'), await door()]).to.deep.equal(['false', 404])
    await assistants.focus()
    await ada.page.keyboard.press('Space')
    await eventually(async () => expect(await door()).to.equal(401))
    expect(await assistants.getAttribute('aria-checked')).to.equal('true')
    await shown(setting('mcp_enabled').getByText(/^Chosen here/))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Space')
    await eventually(async () => expect(await door()).to.equal(404))
  })

  it('Settings: a choice is saved at once, and the person has the right at once', async () => {
    await setting('who_invites').getByRole('combobox').selectOption('members')
    await eventually(async () =>
      expect((await bob.http.get<{ may: string[] }>('/me')).may).to.include('invite'),
    )
  })

  it('Settings: asks before it deletes messages that were kept', async () => {
    const field = setting('retention_days').getByRole('textbox')
    await field.fill('30')
    await field.press('Enter')
    await shown(ada.dialog.getByText('Messages older than 30 days are deleted for everyone.'))
    await shown(ada.dialog.getByText('Now it would delete nothing.'))
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Cancel' }).click()
    await gone(ada.dialog)
    await eventually(async () => expect(await field.inputValue()).to.equal('0'))
  })

  it('Settings: an accent replaces the teal in open tabs and on signed-out pages, with enough contrast', async () => {
    const button = async (user: SignedIn) => {
      const colours = await user.page.evaluate(() => {
        const style = getComputedStyle(document.documentElement)
        return ['--c-accent', '--c-on-accent'].map(name => style.getPropertyValue(name).trim())
      })
      return colours as [string, string]
    }
    const [teal] = await button(bob)
    await setting('accent').getByLabel('Accent', { exact: true }).fill('ffe600')
    await setting('accent').getByLabel('Accent', { exact: true }).press('Enter')
    await eventually(async () => expect((await button(bob))[0]).to.not.equal(teal))
    expect(contrast(...(await button(bob)))).to.be.at.least(4.5)
    await expectAccessible(ada.page)
    await bob.page.reload()
    await shown(bob.composer)
    expect((await button(bob))[0]).to.not.equal(teal)
    const stranger = await stack.user('stranger')
    await stranger.page.emulateMedia({ reducedMotion: 'reduce' })
    await stranger.page.goto('/login')
    const shownButton = stranger.page.locator('.button-primary')
    expect(await shownButton.evaluate(one => getComputedStyle(one).backgroundColor)).to.not.equal(
      'rgb(1, 99, 103)',
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await stranger.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await eventually(async () => expect(await axeFindings(stranger.page), colorScheme).to.deep.equal([]))
    }
    await stranger.page.context().close()
    await ada.button('Reset: Accent').click()
    await eventually(async () => expect((await button(bob))[0]).to.equal(teal))
  })

  it('Settings: a logo is shown beside the name, and removed again', async () => {
    const logo = bob.page.locator('.sidebar-top img.logo')
    const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a30' } })
      .png()
      .toBuffer()
    const file = ada.page.locator('input[type=file][aria-label=Logo]')
    await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
    await shown(ada.page.getByText('That file is not a PNG, JPEG or WebP picture'))
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png })
    await shown(logo)
    await eventually(async () =>
      expect(await logo.evaluate((one: HTMLImageElement) => one.naturalWidth)).to.equal(256),
    )
    await ada.button('Remove the logo').click()
    await gone(logo)
  })

  it('Approvals: who signs up is counted at once, approved or rejected by keyboard', async () => {
    stack.backing.settings({ rate_limit_enabled: false, ...SETTINGS, signup_mode: 'approval' })
    await eventually(async () => expect((await workspace())['signup_mode']).to.equal('approval'))
    await open('approvals', 'Approvals')
    await shown(ada.page.getByText('Nobody waits for approval.'))
    for (const name of ['ivo', 'jon']) {
      const page = await new Person(name, stack.url).signUp().then(
        () => 'in',
        () => 'waits',
      )
      expect(page).to.equal('waits')
    }
    await shown(link('Approvals').getByText('2 people wait for approval'))
    const letIn = ada.button('Approve: ivo')
    await shown(letIn)
    await expectAccessible(ada.page)
    await letIn.focus()
    await ada.page.keyboard.press('Enter')
    await gone(letIn)
    await focusIsOn(ada.page, '[aria-label="Approve: jon"]')
    await shown(link('Approvals').getByText('1 person waits for approval'))
    await ada.button('Reject: jon').click()
    await shown(ada.page.getByText('Nobody waits for approval.'))
    expect(await bob.http.get('/users'))
      .to.include('ivo')
      .and.not.include('jon')
    stack.backing.settings({ rate_limit_enabled: false, ...SETTINGS })
    await eventually(async () => expect((await workspace())['signup_mode']).to.equal('open'))
  })

  it('People: an admin edits name, title and address, and makes an account with a link', async () => {
    await open('people', 'People')
    await ada.button('Actions for bob').click()
    await menuItem('Edit').click()
    await ada.dialog.getByLabel('Display name').fill('Bob Weir')
    await ada.dialog.getByLabel('E-mail').fill('nowhere')
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByText('That is not an address'))
    await focusIsOn(ada.page, '[name=email]')
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('E-mail').fill('bob@example.org')
    await ada.page.keyboard.press('Enter')
    await gone(ada.dialog)
    await shown(row('bob').getByText('Bob Weir'))
    await ada.button('New account').click()
    await ada.dialog.getByLabel('Username').fill('bob')
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByText('That name is taken.'))
    await ada.dialog.getByLabel('Username').fill('hanna')
    await ada.dialog.getByLabel('Role').selectOption('guest')
    await ada.dialog.getByRole('button', { name: 'Create account' }).click()
    await shown(ada.dialog.getByText('Choose a channel'))
    await ada.dialog.getByLabel('#design').check()
    await ada.dialog.getByRole('button', { name: 'Create account' }).click()
    await shown(ada.page.locator('.admin-link code').getByText('/reset-password/'))
    await shown(row('hanna').getByText('Guest'))
    await expectAccessible(ada.page)
  })

  it('People: the only owner cannot act on themselves; an account is renamed, and another deleted by its name', async () => {
    await open('people', 'People')
    await shown(row('ada').getByText('A workspace needs an owner.'))
    expect(await ada.button('Actions for ada').count()).to.equal(0)
    await ada.button('Actions for ivo').click()
    await menuItem('Rename').click()
    await ada.dialog.getByLabel('New username').fill('bob')
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByText('That name is taken.'))
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('New username').fill('ivan')
    await ada.page.keyboard.press('Enter')
    await gone(ada.dialog)
    await shown(row('ivan'))
    await gone(row('ivo'))
    await ada.button('Actions for hanna').click()
    await menuItem('Delete the account').click()
    await focusIsOn(ada.page, '[name=username]')
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByRole('alert').getByText('Type hanna to go on'))
    await ada.page.keyboard.type('hanna')
    await ada.page.keyboard.press('Enter')
    await gone(ada.dialog)
    await gone(row('hanna'))
    const active = (await ada.http.get<{ counts: object }>('/admin/people')).counts
    expect(active).to.deep.equal({ owner: 1, admin: 0, member: 2, guest: 0, deactivated: 0 })
    await shown(ada.button('Active 3'))
    await ada.button('Admins 0').click()
    await shown(ada.page.getByText('Nobody has that name.'))
  })

  it('People: a person opens beside the list by keyboard, with role, sessions and a way in and out', async () => {
    const { keyboard } = ada.page
    await open('people', 'People')
    await ada.page.reload()
    const person = (name: string) => row(name).locator('button.admin-person')
    await person('ada').focus()
    await keyboard.press('ArrowDown')
    await focusIsOn(ada.page, '#person-bob')
    await keyboard.press('Delete')
    await shown(ada.page.getByRole('dialog', { name: 'Deactivate bob?' }))
    await keyboard.press('Escape')
    await gone(ada.dialog)
    await person('bob').press('Enter')
    const beside = ada.page.getByRole('complementary', { name: 'bob' })
    await focusIsOn(ada.page, '#person-panel h2')
    await shown(beside.getByText('Signed in on 1 device.'))
    await expectAccessible(ada.page)
    await beside.getByRole('radio', { name: /^Admin/ }).check()
    await shown(row('bob').getByText('Admin'))
    await beside.getByRole('radio', { name: /^Member/ }).check()
    await shown(row('bob').getByText('Member'))
    await beside.getByRole('button', { name: 'Create a reset link' }).click()
    await shown(beside.locator('code').getByText('/reset-password/'))
    await keyboard.press('Escape')
    await gone(beside)
    await focusIsOn(ada.page, '#person-bob')
    await keyboard.press('/')
    await focusIsOn(ada.page, '.admin-find input')
    const device = new Person('ivan', stack.url)
    await device.postForm('/login', { username: 'ivan', password: PASSWORD })
    await ada.page.reload()
    await person('ivan').click()
    const ivan = ada.page.getByRole('complementary', { name: 'ivan' })
    await shown(ivan.getByText('Signed in on 1 device.'))
    await ivan.getByRole('button', { name: 'End all sessions' }).click()
    await ada.dialog.getByRole('button', { name: 'End them' }).click()
    await shown(ivan.getByText('Not signed in anywhere.'))
    await ivan.getByRole('button', { name: 'Close ivan' }).click()
    await gone(ivan)
  })

  it('Invitations: a member makes a link with a note and ends it in the same dialog; C copies the link of a row', async () => {
    await open('invites', 'Invitations')
    const switched = ada.page.getByRole('switch', { name: 'Members may invite' })
    expect(await switched.getAttribute('aria-checked')).to.equal('true')
    await bob.page.locator('.sidebar-me-person').click()
    await bob.page.getByRole('menuitem', { name: 'Invite people' }).click()
    // No link without an end.
    const periods = bob.dialog.getByLabel('Works for').locator('option')
    await eventually(async () => expect(await periods.count()).to.equal(3))
    await bob.dialog.getByLabel('Note').fill('For the crew')
    await bob.dialog.getByRole('button', { name: 'Create link' }).click()
    await bob.dialog.getByRole('button', { name: 'Done' }).click()
    await gone(bob.dialog)
    await ada.page.reload()
    const ofBob = ada.page.getByRole('row').filter({ hasText: 'For the crew' })
    await ofBob.getByRole('button', { name: 'Copy' }).focus()
    await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await ada.page.keyboard.press('c')
    await shown(ada.page.getByText('Copied').first())
    await expectAccessible(ada.page)
    await bob.page.locator('.sidebar-me-person').click()
    await bob.page.getByRole('menuitem', { name: 'Invite people' }).click()
    const own = bob.dialog.getByRole('region', { name: 'Your links that work' })
    await shown(own.getByText('For the crew'))
    await expectAccessible(bob.page)
    await own.getByRole('button', { name: 'End this link' }).click()
    await gone(own)
    await bob.page.keyboard.press('Escape')
    await ada.page.reload()
    await shown(ada.page.getByRole('table', { name: 'Ended' }).getByRole('cell', { name: 'It was ended.' }))
    await switched.click()
    await eventually(async () =>
      expect((await bob.http.get<{ may: string[] }>('/me')).may).to.not.include('invite'),
    )
  })

  it('Channels: everybody starts in one, it is edited, archived with Undo, and found among the archived', async () => {
    await ada.http.postJson('/public_channels', { name: 'North bank' })
    await open('channels', 'Channels')
    await shown(row('general').getByText('Start', { exact: true }))
    await ada.button('Actions for North bank').click()
    await menuItem('Everyone joins it').click()
    await shown(row('North bank').getByText('Start', { exact: true }))
    await expectAccessible(ada.page)
    await ada.button('North bank').click()
    await ada.dialog.getByLabel('Name').fill('South bank')
    await ada.dialog.getByLabel('Only managers write').check()
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await shown(row('South bank').getByText('Everyone reads, managers write'))
    await ada.button('Actions for South bank').click()
    await menuItem('Archive').click()
    await gone(row('South bank'))
    await ada.page.getByRole('button', { name: /^Archived \d/ }).click()
    await shown(row('South bank'))
    await ada.button('Actions for South bank').click()
    await menuItem('Unarchive').click()
    await gone(row('South bank'))
    await ada.page.getByRole('button', { name: /^Open \d/ }).click()
    await shown(row('South bank'))
    await bob.http.createPrivateChannel('The den', [])
    await ada.page.getByRole('button', { name: /^Private \d/ }).click()
    await shown(row('The den'))
    expect(await row('The den').getByRole('button').count()).to.equal(0)
    await ada.page.getByLabel('Find a channel').fill('nothing at all')
    await shown(ada.page.getByText('No channel has that name.'))
  })

  it('Statistics: people, messages a day with a table, storage', async () => {
    await ada.http.send('general', 'something to count')
    await open('statistics', 'Statistics')
    await shown(ada.page.getByText(/in 30 days\. Most:/))
    await ada.page.getByText('Show as a table').click()
    await eventually(async () => expect(await ada.page.getByRole('row').count()).to.equal(31))
    await expectAccessible(ada.page)
  })

  it('Audit log: keeps a thousand rows at most, and shows the next ones in their place by keyboard', async () => {
    const PAGE = 250
    await ada.page.route(/\/admin\/audit(\?|$)/, route => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: PAGE }, (_, at) => ({
        id: 10_000 - from - at,
        ts: Date.now() / 1_000,
        actor: 'ada',
        action: 'signup',
        target: `number-${from + at + 1}`,
        channel: null,
        detail: {},
        address: null,
      }))
      return route.fulfill({ json: { items, next: String(from + PAGE) } })
    })
    await open('audit', 'Audit log')
    const entries = ada.page.locator('.audit-entry')
    for (const count of [1, 2, 3, 4])
      await eventually(async () => {
        await ada.page.locator('main .panel-results').evaluate(one => one.scrollTo(0, one.scrollHeight))
        expect(await entries.count()).to.be.at.least(count * PAGE)
      })
    await shown(ada.page.getByText('1,000 are shown at a time.'))
    expect(await entries.count()).to.equal(1_000)
    await ada.button('Show the next ones').focus()
    await ada.page.keyboard.press('Enter')
    await shown(entries.getByText('number-1001', { exact: true }))
    await gone(entries.getByText('number-1000', { exact: true }))
    await focusIsOn(ada.page, '.list-start')
    await ada.page.unroute(/\/admin\/audit(\?|$)/)
    await ada.page.keyboard.press('Enter')
    await gone(ada.page.locator('.list-start'))
    await gone(entries.getByText('number-1001', { exact: true }))
  })

  it('Ready for the office?: only checks that were made are counted, and each leads to its page', async () => {
    await open('ready', 'Ready for the office?')
    const check = (id: string) => ada.page.locator(`[data-check="${id}"]`)
    await shown(check('live').getByText('The live connection works.'))
    await ada.http.postJson('/invites', {})
    await ada.button('Check again').click()
    const only = 'Only this computer can open this address.'
    await shown(check('secure').getByText(only))
    await shown(ada.page.locator('.ready-invite').getByText(only))
    expect(await ada.page.locator('img[src$="qr.svg"]').count()).to.equal(0)
    await shown(check('backup').getByText('No backup was restored and compared within 48 hours.'))
    await shown(check('owners').getByText('Only you can approve people or reset a password.'))
    await expectAccessible(ada.page)
    await check('owners').getByRole('button', { name: 'People' }).click()
    await shown(heading('People'))
    await ada.button('Actions for bob').click()
    await ada.page.getByRole('menuitemradio', { name: 'Admin' }).click()
    await shown(row('bob').getByText('Admin'))
    await link('Ready for the office?').click()
    await shown(check('owners').getByText('2 people can administer this workspace.'))
  })

  it('shows the owner a card in the first channel until it is put away on one device', async () => {
    await ada.button('Back to chat').click()
    const card = ada.page.getByRole('article', { name: 'You own this workspace.' })
    await shown(card)
    await expectAccessible(ada.page)
    await bob.page.goto('/#/c/general')
    await shown(bob.composer)
    expect(await bob.page.getByText('You own this workspace.').count()).to.equal(0)
    await card.getByRole('button', { name: 'Name and logo' }).click()
    await shown(heading('Settings'))
    await ada.page.keyboard.press('Escape')
    await card.getByRole('button', { name: 'Dismiss' }).click()
    await gone(card)
    await eventually(async () =>
      expect((await ada.http.get<{ owner_card: boolean }>('/preferences')).owner_card).to.equal(false),
    )
    await ada.page.evaluate(() => localStorage.clear())
    const asked = ada.page.waitForResponse(/\/preferences$/)
    await ada.page.reload()
    await asked
    await shown(ada.page.getByText('something to count'))
    expect(await card.count()).to.equal(0)
  })

  it('shows the card again when one of its checks needs a look, and not for what was known when it was put away', async () => {
    const kept = () =>
      ada.page
        .evaluate(name => localStorage.getItem(name), 'bothy ready ada')
        .then(text => text?.split('/')[0]?.trim().split(' '))
    await eventually(async () =>
      expect(await kept())
        .to.be.an('array')
        .that.does.not.include('owners'),
    )
    const back = ada.page.getByRole('article', { name: 'Something on this server needs attention.' })
    expect(await back.count()).to.equal(0)
    await ada.http.postJson('/confirm', { password: PASSWORD })
    await ada.http.patchJson('/admin/people/bob', { role: 'member' })
    await ada.page.reload()
    await shown(back)
    await expectAccessible(ada.page)
    await back.getByRole('button', { name: 'Ready for the office?' }).click()
    await shown(heading('Ready for the office?'))
    await ada.page.keyboard.press('Escape')
    await back.getByRole('button', { name: 'Dismiss' }).click()
    await gone(back)
    await eventually(async () => expect(await kept()).to.include('owners'))
    const asked: string[] = []
    ada.page.on('request', request => asked.push(new URL(request.url()).pathname))
    // The next look leaves out what is not amber.
    await ada.page.evaluate(name => {
      localStorage.setItem(name, `bogus ${localStorage.getItem(name)}`)
    }, 'bothy ready ada')
    await ada.page.reload()
    await shown(ada.page.getByText('something to count'))
    await eventually(async () => expect(await kept()).to.not.include('bogus'))
    expect(await back.count()).to.equal(0)
    expect(asked.filter(path => /^\/(admin|invites)/.test(path))).to.deep.equal([])
    await ada.http.patchJson('/admin/people/bob', { role: 'admin' })
    await eventually(async () => expect(await kept()).to.not.include('owners'))
    await ada.http.patchJson('/admin/people/bob', { role: 'member' })
    await shown(back)
    await ada.http.patchJson('/admin/people/bob', { role: 'admin' })
    await gone(back)
  })

  it('asks for the password by keyboard alone, and goes through the pages with arrows', async () => {
    stack.backing.settings({ rate_limit_enabled: false, ...SETTINGS, confirm_minutes: 0.05 })
    const { keyboard } = ada.page
    await open('people', 'People')
    await focusIsOn(ada.page, 'main h1')
    await link('People').focus()
    for (const name of ['approvals', 'groups', 'invites', 'channels', 'settings']) {
      await keyboard.press('ArrowDown')
      await focusIsOn(ada.page, `.admin-nav a[href="#/admin/${name}"]`)
    }
    await keyboard.press('Enter')
    await shown(heading('Settings'))
    await eventually(async () => {
      const { confirmed_until } = await ada.http.get<{ confirmed_until: number | null }>('/session')
      expect(confirmed_until ?? 0).to.be.below(Date.now() / 1_000)
    })
    await setting('workspace_name').getByRole('textbox').focus()
    await keyboard.press('ControlOrMeta+A')
    await keyboard.type('By keyboard')
    await keyboard.press('Enter')
    await focusIsOn(ada.page, '#confirm-password')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await shown(ada.page.getByText(/^Saved, /))
    await shown(ada.page.locator('.wordmark').getByText('By keyboard'))
    await keyboard.press('Escape')
    await shown(ada.sidebarRow('design'))
  })

  it('People: a repetition after a lost response makes no second account, and says how to go on', async () => {
    await open('people', 'People')
    let isLost = false
    await ada.page.route('**/admin/people', async (route, request) => {
      if (request.method() !== 'POST' || isLost) return route.fallback()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await ada.http.postJson('/confirm', { password: PASSWORD })
    await ada.button('New account').click()
    await ada.dialog.getByLabel('Username').fill('greta')
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByText('greta could not be changed. Try again.'))
    await ada.dialog.getByRole('button', { name: 'Create account' }).click()
    await gone(ada.dialog)
    await shown(
      ada.page.getByText('The account of greta already exists. Create a reset link for its password.'),
    )
    await shown(row('greta').getByText('Member'))
    await ada.page.unroute('**/admin/people')
  })

  it('has its pages in a line above on a phone', async () => {
    await ada.page.setViewportSize({ width: 390, height: 844 })
    for (const [page, title] of [
      ['people', 'People'],
      ['audit', 'Audit log'],
      ['invites', 'Invitations'],
      ['settings', 'Settings'],
      ['channels', 'Channels'],
      ['ready', 'Ready for the office?'],
    ] as const) {
      await open(page, title)
      await shown(
        ada.page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: title }),
      )
      const overflow = await ada.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, page).to.equal(0)
      const end = await ada.button('Close the administration').boundingBox()
      expect(end!.x + end!.width, `${page}: the head`).to.be.at.most(390)
      await expectAccessible(ada.page)
    }
    await ada.button('Close the administration').click()
    await gone(heading('Ready for the office?'))
    await ada.page.setViewportSize({ width: 1280, height: 800 })
  })
})
