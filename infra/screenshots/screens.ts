/** The screens of the client, and the steps to each. Addresses and styles lead there in every language. */
import type { Locator, Page, Route } from 'playwright-core'
import { until } from '../bench/first-load.ts'
import { CALLER, THIRD, VIEWER } from './demo-data.ts'
import { messageScreens } from './message-screens.ts'
import { officeScreens } from './office-screens.ts'
import type { Screen, Step, Walk } from './screen.ts'

const GERMAN: Record<string, string> = {
  'Add reaction': 'Reaktion hinzufügen',
  'Add someone': 'Jemanden hinzufügen',
  'New message': 'Neue Nachricht',
  'New private channel': 'Neuer privater Kanal',
  'Start a voice call': 'Sprachanruf beginnen',
  'Start a video call': 'Videoanruf beginnen',
  Delete: 'Löschen',
  Edit: 'Bearbeiten',
  Forward: 'Weiterleiten',
  Emoji: 'Emoji',
  Formatting: 'Formatierung',
  'More actions': 'Weitere Aktionen',
  Reactions: 'Reaktionen',
  'Mark as unread': 'Als ungelesen markieren',
  Replies: 'Antworten',
  Reply: 'Antworten',
  Send: 'Senden',
  'Share your screen': 'Bildschirm teilen',
}
/** The English or the German text, whichever the page shows. */
const either = (text: string) => new RegExp(`^(${text}|${GERMAN[text] ?? text})$`)
const button = (on: Page | Locator, name: string) =>
  on
    .getByRole('button', { name: either(name) })
    .locator('visible=true')
    .first()
const choose = (page: Page, name: string) =>
  page
    .getByRole('menuitem', { name: new RegExp(`^(${name}|${GERMAN[name] ?? name})`) })
    .first()
    .click()
const panel = (page: Page) => page.locator('[data-region=panel]')
const composer = (page: Page) => page.locator('[data-region=composer] textarea')
const row = (page: Page, text: string) => page.locator('article', { hasText: text }).last()
const dialog = (page: Page) => page.locator('dialog[open]').last().waitFor()

/** Opens an address, and waits for an element of it. */
const at =
  (hash: string, seen?: string): Step =>
  async ({ page }) => {
    await page.goto(`/${hash}`)
    await page.locator('[data-region], .centred').locator('visible=true').first().waitFor()
    if (seen) await page.locator(seen).locator('visible=true').first().waitFor()
  }
const toMessages: Step = async walk => {
  await at('#/c/engineering')(walk)
  await row(walk.page, 'Bench rig').waitFor()
}
const home: Step = walk => (walk.size === 'phone' ? at('#/', '.tab-bar')(walk) : toMessages(walk))
const over =
  (hash: string, seen: string): Step =>
  async walk => {
    await (walk.size === 'phone' && hash.startsWith('#/settings') ? home : toMessages)(walk)
    await at(hash, seen)(walk)
  }
const search = (words: string, seen = '.result') => over(`#/search/${encodeURIComponent(words)}`, seen)
const settings = (page: string): Screen => ({
  name: `settings-${page || 'list'}`,
  open: over(`#/settings${page ? `/${page}` : ''}`, 'dialog[open]'),
})

const menuOf = async ({ page, size }: Walk, text: string) => {
  const message = row(page, text)
  await message.scrollIntoViewIfNeeded()
  if (size === 'phone') await message.focus().then(() => message.press('Enter'))
  else {
    await message.hover()
    await button(message, 'More actions').click()
  }
  await page.getByRole('menuitem').first().waitFor()
}
const rowMenu =
  (selector: string): Step =>
  async walk => {
    await home(walk)
    await walk.page.locator(`nav ${selector}`).first().focus()
    await walk.page.keyboard.press('ContextMenu')
    await walk.page.getByRole('menuitem').first().waitFor()
  }
const jump = async ({ page, size }: Walk) =>
  size === 'wide' ? page.keyboard.press('Control+K') : page.locator('.sidebar-jump').click()
const writing =
  (text: string): Step =>
  async ({ page }) => {
    await composer(page).fill(text)
    await composer(page).press('End')
  }
const inDesign =
  (text: string, more: Step = async () => {}): Step =>
  async walk => {
    await at('#/c/design')(walk)
    await writing(text)(walk)
    await more(walk)
  }
const clearDraft: Step = async ({ page }) => {
  await page.keyboard.press('Escape')
  await composer(page).fill('')
}

/** Loads the files of the client and blocks its requests. */
const onlyFiles = (route: Route) =>
  ['fetch', 'xhr', 'eventsource', 'other'].includes(route.request().resourceType())
    ? route.abort()
    : route.continue()
/** Waits until a video is shown and not black. */
const plays = (page: Page, selector: string) =>
  until(
    page,
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some(v => v.videoWidth > 0 && v.currentTime > 1)`,
  )
/** Makes the drawing of elements of one kind fail, from the start. */
const breaks = (tag: string) => `{
  const { createElementNS } = Document.prototype
  Document.prototype.createElementNS = function (space, name) {
    if (name === '${tag}') throw new RangeError('not drawn')
    return createElementNS.call(this, space, name)
  }
}`
const answer = async (page: Page, video = false) => {
  const card = page.getByRole('alertdialog')
  await (video ? card.getByRole('button', { name: 'Video' }) : card.locator('.button-accept')).click()
  await page.locator('.stage').waitFor()
}
const GROUP = `#/d/${[CALLER, THIRD, VIEWER].sort().join(',')}`
const DIRECT = `#/d/${[CALLER, VIEWER].sort().join(',')}`
const endAll: Step = async ({ caller, third }) => {
  await Promise.all([caller, third].map(one => one.goto('about:blank')))
}

/** In this order: later screens may depend on earlier ones. */
export const screens: Screen[] = [
  {
    name: 'main',
    async open(walk) {
      await toMessages(walk)
      const { page, size } = walk
      await row(page, 'Yes. The watchdog').scrollIntoViewIfNeeded()
      await page.locator('.card .code-card-range, .card pre, .card code').first().waitFor()
      await row(page, 'Bench rig').scrollIntoViewIfNeeded()
      if (size === 'wide') await row(page, 'Morning from the weir').hover()
    },
  },
  {
    name: 'main-above',
    async open(walk) {
      await toMessages(walk)
      await row(walk.page, 'Rev C boards').scrollIntoViewIfNeeded()
      await walk.page.locator('.card').first().waitFor()
    },
  },
  { name: 'kinds-of-messages', open: at('#/c/general', 'article .code-block, article pre') },
  {
    name: 'home',
    open: walk => (walk.size === 'phone' ? home(walk) : at('#/d/ines-r,maya')(walk)),
  },
  { name: 'search', open: search('watchdog') },
  { name: 'search-chips', open: search('in:#engineering from:li-wen after:2026-01-01 watchdog -lunch') },
  {
    name: 'search-nothing',
    open: search('from:nobody has:moon gauges', '.search-note, [data-region=panel] p'),
  },
  {
    name: 'search-filter',
    async open(walk) {
      await search('watchdog')(walk)
      await walk.page.locator('.search-filters button').nth(2).click()
    },
  },
  {
    name: 'search-completion',
    async open(walk) {
      await search('watchdog')(walk)
      const field = panel(walk.page).getByRole('combobox').first()
      await field.press('End')
      await field.pressSequentially(' from:')
      await walk.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'activity',
    async open(walk) {
      await home(walk)
      await (walk.size === 'wide'
        ? walk.page.keyboard.press('Control+Shift+M')
        : walk.page.locator('.tab-bar-tab').nth(1).click())
      await panel(walk.page).locator('.result').first().waitFor()
    },
  },
  {
    name: 'activity-replies',
    continues: true,
    open: ({ page }) => panel(page).getByRole('tab').nth(2).click(),
  },
  {
    name: 'replies',
    async open(walk) {
      await toMessages(walk)
      await walk.page.locator('.thread-summary').last().click()
      await panel(walk.page).locator('.thread-rows article').first().waitFor()
    },
  },
  { name: 'people', open: at('#/c/engineering/people', '[data-region=panel] .option') },
  {
    name: 'switcher',
    async open(walk) {
      await home(walk)
      await jump(walk)
      await walk.page.getByRole('combobox').first().fill('e')
    },
  },
  { name: 'profile', open: over('#/people/li-wen', '[role=dialog]') },
  {
    name: 'new-conversation',
    async open(walk) {
      await home(walk)
      await button(walk.page, 'New message').click()
      await walk.page.locator('dialog[open]').getByRole('combobox').fill('s')
    },
  },
  {
    name: 'private-create',
    async open(walk) {
      await home(walk)
      await button(walk.page, 'New private channel').click()
      await walk.page.locator('dialog[open] input').first().fill('Spring survey')
    },
  },
  {
    name: 'private-manage',
    async open(walk) {
      await at('#/p/1/people', '[data-region=panel] .option')(walk)
      await button(walk.page, 'Add someone').click()
      await dialog(walk.page)
    },
  },
  { name: 'private-channel', open: at('#/p/1', 'article') },
  ...[
    '',
    'profile',
    'appearance',
    'notifications',
    'devices',
    'keyboard',
    'password',
    'sessions',
    'delete',
  ].map(settings),
  ...[
    'people',
    'approvals',
    'invites',
    'channels',
    'settings',
    'ready',
    'backups',
    'statistics',
    'audit',
  ].map(
    (page): Screen => ({ name: `admin-${page}`, open: over(`#/admin/${page}`, '[data-region=panel] h1') }),
  ),
  {
    name: 'keyboard-sheet',
    async open(walk) {
      await toMessages(walk)
      await walk.page.keyboard.press('Control+/')
      await dialog(walk.page)
    },
  },
  {
    name: 'keyboard-sheet-filter',
    continues: true,
    open: ({ page }) => page.locator('dialog[open] input').fill('re'),
  },
  {
    name: 'status-menu',
    async open(walk) {
      await home(walk)
      await (walk.size === 'phone'
        ? walk.page.locator('.tab-bar-tab').last()
        : walk.page.locator('.sidebar-me-person')
      ).click()
    },
  },
  { name: 'menu-of-channel', open: rowMenu('[data-channel="field-ops"]') },
  {
    name: 'menu-of-conversation',
    open: rowMenu(`[data-channel="dm:${[CALLER, VIEWER].sort().join(':')}"] a`),
  },
  {
    name: 'menu-of-day',
    async open(walk) {
      await toMessages(walk)
      await walk.page.locator('.day-line button').last().click()
    },
  },
  {
    name: 'message-menu',
    async open(walk) {
      await toMessages(walk)
      await menuOf(walk, 'Overnight soak')
    },
  },
  {
    name: 'message-menu-own',
    async open(walk) {
      await toMessages(walk)
      await menuOf(walk, 'I can take four')
    },
  },
  {
    name: 'delete-message',
    continues: true,
    async open({ page }) {
      await choose(page, 'Delete')
      await dialog(page)
    },
  },
  {
    name: 'edit',
    async open(walk) {
      await toMessages(walk)
      await menuOf(walk, 'I can take four')
      await choose(walk.page, 'Edit')
      await walk.page.locator('article textarea').waitFor()
    },
  },
  {
    name: 'reply',
    async open(walk) {
      await toMessages(walk)
      await menuOf(walk, 'Bench rig')
      await choose(walk.page, 'Reply')
    },
    tidy: clearDraft,
  },
  {
    name: 'forward',
    async open(walk) {
      await toMessages(walk)
      await menuOf(walk, 'Bench rig')
      await choose(walk.page, 'Forward')
      await dialog(walk.page)
      await walk.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'forward-comment',
    continues: true,
    async open({ page }) {
      await page.getByRole('option').nth(1).click()
      await page.locator('#forward-comment').fill('For the afternoon.')
    },
  },
  {
    name: 'forwarded',
    async open({ page }) {
      await at('#/c/off-topic')({ page } as Walk)
      await page.locator('.forward-card').first().waitFor()
      await page.locator('.message-card-foot').first().waitFor()
    },
  },
  {
    name: 'reactors',
    async open(walk) {
      await toMessages(walk)
      const chip = row(walk.page, 'Morning from the weir').locator('[data-reaction]').first()
      await chip.scrollIntoViewIfNeeded()
      await (walk.size === 'wide' ? chip.hover() : chip.focus())
    },
  },
  {
    name: 'reactions',
    async open(walk) {
      await toMessages(walk)
      await menuOf(walk, 'Yes. The watchdog')
      await choose(walk.page, 'Reactions')
      await walk.page.getByRole('dialog').last().waitFor()
    },
  },
  {
    name: 'reaction-picker',
    async open(walk) {
      await toMessages(walk)
      const message = row(walk.page, 'Bench rig')
      if (walk.size === 'wide') {
        await message.hover()
        await button(message, 'Add reaction').click()
      } else {
        await menuOf(walk, 'Bench rig')
        await button(walk.page.locator('.bottom-sheet'), 'Add reaction').click()
      }
    },
  },
  {
    name: 'readers',
    async open(walk) {
      await toMessages(walk)
      await walk.page.locator('button.seen').last().click()
    },
  },
  {
    name: 'emoji-picker',
    async open(walk) {
      await toMessages(walk)
      await button(walk.page, 'Emoji').click()
      await walk.page
        .locator('input[type=search], .emoji-picker input')
        .locator('visible=true')
        .first()
        .waitFor()
    },
  },
  {
    name: 'emoji-picker-search',
    continues: true,
    open: ({ page }) => page.locator('.emoji-picker input').first().fill('ha'),
  },
  {
    name: 'viewer',
    async open(walk) {
      await toMessages(walk)
      await walk.page.locator('article img[src^="/files/"]').first().click()
      await dialog(walk.page)
      await walk.page.locator('dialog[open]').press('ArrowRight')
    },
  },
  { name: 'empty-channel', open: at('#/c/design', '[data-region=composer]') },
  { name: 'composer-completion', open: inDesign('The **new** label is `4 mm` wider, @li'), tidy: clearDraft },
  { name: 'composer-channels', open: inDesign('See #en'), tidy: clearDraft },
  { name: 'composer-commands', open: inDesign('/re'), tidy: clearDraft },
  { name: 'composer-emoji', open: inDesign('Good morning :hea'), tidy: clearDraft },
  {
    name: 'composer-formatting',
    only: 'wide',
    open: inDesign('Two lines\nand a third: **bold**', ({ page }) => button(page, 'Formatting').click()),
    async tidy(walk) {
      await button(walk.page, 'Formatting').click()
      await clearDraft(walk)
    },
  },
  {
    name: 'composer-too-long',
    open: inDesign(`${'The gauge reads four millimetres. '.repeat(310)}End.`),
    tidy: clearDraft,
  },
  {
    name: 'composer-files',
    open: inDesign('Three pictures from the bench', async ({ page }) => {
      const buffer = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        'base64',
      )
      const named = (name: string) => ({ name, mimeType: 'image/png', buffer })
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([
          named('bench.png'),
          named('a-picture-with-a-very-long-file-name-2026-11-22.png'),
          named('c.png'),
        ])
      await page.locator('.composer img').first().waitFor()
    }),
    async tidy(walk) {
      const remove = walk.page.locator('.composer .attachment-remove')
      while ((await remove.count()) > 0) await remove.first().click()
      await clearDraft(walk)
    },
  },
  {
    name: 'drafts',
    async open(walk) {
      await inDesign('The new label is wider than the old one, and nobody has measured it yet.')(walk)
      await at('#/c/off-topic', 'article')(walk)
      await writing('A kayak?')(walk)
      await home(walk)
      await walk.page
        .locator('nav button:has-text("Drafts"), nav button:has-text("Entwürfe")')
        .first()
        .click()
    },
    async tidy(walk) {
      for (const channel of ['off-topic', 'design']) {
        await at(`#/c/${channel}`)(walk)
        await composer(walk.page).fill('')
      }
    },
  },
  {
    name: 'unread-bar',
    async open(walk) {
      const okonkwo = walk.people.get('okonkwo')!
      for (let unit = 20; unit < 70; unit++)
        await okonkwo.send('field-ops', `Unit ${unit} is mounted and answers.`)
      await at('#/c/field-ops', '.unread-bar')(walk)
    },
  },
  {
    name: 'not-sent',
    async open(walk) {
      const { page } = walk
      await at('#/d/ines-r,maya')(walk)
      await page.route('**/send/**', route =>
        route.fulfill({ status: 400, json: { error: 'That is not allowed here' } }),
      )
      await composer(page).fill('And the short one, to be sure.')
      await button(page, 'Send').click()
      await page.locator('[data-pending=failed]').waitFor()
    },
    tidy: ({ page }) => button(page.locator('.send-state'), 'Delete').click(),
  },
  {
    name: 'muted',
    async open(walk) {
      await walk.people.get(VIEWER)!.mute('deploys', { muted_for_minutes: -1 })
      await home(walk)
      await walk.page
        .locator('nav [data-channel=deploys].is-muted')
        .waitFor()
        .catch(() => {})
    },
  },
  { name: 'unknown-address', open: at('#/nonsense', 'h1, h2') },
  { name: 'unknown-channel', open: at('#/c/no-such-channel', '.centred') },
  { name: 'unknown-person', open: at(`#/d/${VIEWER},nobody-here`, '.centred') },
  { name: 'not-open', open: at('#/p/99', '.centred') },
  {
    name: 'not-on-this-device',
    async open(walk) {
      await toMessages(walk)
      await walk.page.context().setOffline(true)
      await walk.page.evaluate(`location.hash = '#/d/${VIEWER},yusuf'`)
      await walk.page.locator('.centred').waitFor()
    },
    tidy: ({ page }) => page.context().setOffline(false),
  },
  {
    name: 'broken-sidebar',
    async open(walk) {
      await walk.page.addInitScript(breaks('h2'))
      await at('#/c/engineering', '.centred')(walk)
    },
  },
  {
    name: 'broken-panel',
    async open(walk) {
      await walk.page.addInitScript(breaks('aside'))
      await at('#/c/engineering/people', '.centred')(walk)
    },
  },
  {
    name: 'broken-channel',
    async open(walk) {
      await walk.page.addInitScript(breaks('header'))
      await at('#/c/engineering', '.centred')(walk)
    },
  },
  {
    name: 'broken-message',
    async open(walk) {
      await walk.page.addInitScript(breaks('pre'))
      await at('#/c/general', 'article')(walk)
    },
  },
  {
    name: 'reconnecting',
    async open(walk) {
      await toMessages(walk)
      await walk.page.route('**/*', onlyFiles)
      await walk.page.reload()
      await walk.page.locator('.banner').waitFor({ timeout: 30_000 })
    },
  },
  {
    name: 'incoming-call',
    async open(walk) {
      await toMessages(walk)
      await walk.caller.goto(`/${DIRECT}`)
      await button(walk.caller, 'Start a video call').click()
      await walk.page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'call',
    continues: true,
    async open({ page }) {
      await answer(page, true)
      await plays(page, `.stage [data-person="${CALLER}"] video`)
    },
  },
  {
    name: 'call-share',
    continues: true,
    async open({ page, caller }) {
      await button(caller.locator('.stage'), 'Share your screen').click()
      await page.locator('.stage [data-screen-of], .stage .share-tile').first().waitFor()
      await plays(page, '.stage video')
    },
  },
  {
    name: 'call-small',
    continues: true,
    async open({ page, size }) {
      if (size === 'wide') await page.evaluate(`location.hash = '#/c/general'`)
      else await page.goBack()
      await page.locator('.mini-call').waitFor()
    },
    tidy: endAll,
  },
  {
    name: 'incoming-group-call',
    async open(walk) {
      const { page, caller, third } = walk
      await toMessages(walk)
      await Promise.all([caller, third].map(one => one.goto(`/${GROUP}`)))
      await button(caller, 'Start a voice call').click()
      await answer(third)
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'group-call',
    continues: true,
    async open({ page }) {
      await answer(page)
      await page.locator(`.stage [data-person="${CALLER}"]`).waitFor()
      await page.locator(`.stage [data-person="${THIRD}"]`).waitFor()
    },
  },
  {
    name: 'group-call-end',
    continues: true,
    async open({ page }) {
      await page.locator('.call-control-group.is-end button').last().click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'group-call-end-question',
    continues: true,
    async open({ page }) {
      await page.getByRole('menuitem').last().click()
      await dialog(page)
    },
  },
  {
    name: 'running-call',
    continues: true,
    async open(walk) {
      await walk.page.locator('dialog[open] button').first().click()
      await walk.page.locator('.stage').waitFor({ state: 'detached' })
      await at(GROUP, '.banner.is-call')(walk)
    },
  },
  { name: 'running-call-home', continues: true, open: home, tidy: endAll },
  {
    name: 'screen-share',
    async open(walk) {
      await walk.caller.goto(`/${DIRECT}`)
      await at(DIRECT, '[data-region=header]')(walk)
      await button(walk.caller, 'Share your screen').click()
      await walk.page.locator('.banner.is-share').waitFor()
    },
  },
  {
    name: 'screen-share-watched',
    continues: true,
    async open({ page }) {
      await page.locator('.banner.is-share .button-link').click()
      await plays(page, `[data-screen-of="${CALLER}"] video`)
    },
    tidy: endAll,
  },
  {
    name: 'right-to-left',
    async open(walk) {
      await toMessages(walk)
      await walk.page.evaluate(`document.documentElement.dir = 'rtl'`)
    },
  },
  {
    name: 'right-to-left-search',
    async open(walk) {
      await search('watchdog')(walk)
      await walk.page.evaluate(`document.documentElement.dir = 'rtl'`)
    },
  },
  ...officeScreens,
  ...messageScreens,
]

/** Pages without an account. */
export const outside = ['login', 'signup', 'forgot-password', 'about', 'reset-password/not-a-token']
