/**
 * Takes screenshots of every screen, light and dark, wide (1440 × 900) and on a phone (390 × 844), to compare with the
 * mock-ups.
 *
 *   node infra/screenshots/screenshots.ts <folder> [names of screens, with commas between]
 *
 * A stack with new stores and the demo data of demo-data.ts. Screens that cannot be reached are reported and skipped.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { openSite } from '#shared/test-kit/site.ts'
import { closeRunBacking } from '#shared/test-kit/stores.ts'
import { until } from '../bench/first-load.ts'
import { buildClient } from '../run/build-client.ts'
import { CALLER, CHANNELS, pages, seedOffice, VIEWER } from './demo-data.ts'

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
type Size = keyof typeof SIZES

const [folder, chosen = ''] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder for the pictures.')
const isChosen = (name: string) => chosen === '' || chosen.split(',').includes(name)
mkdirSync(folder, { recursive: true })

await buildClient(console.log)
const site = await openSite(await pages())
const stack = await startFullStack({
  settings: { channels: CHANNELS, preview_allow: [site.host] },
  previews: true,
  chromium: FAKE_DEVICES,
})
const people = await seedOffice(stack.url, stack.backing.env.DATABASE_URL, site.url)

interface Walk {
  page: Page
  size: Size
  caller: Page
}
type Step = (walk: Walk) => Promise<unknown>

const button = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .locator('visible=true')
    .first()
const panel = (page: Page) => page.locator('[data-region=panel]')
const goTo = async (page: Page, hash: string) => {
  await page.goto(`/${hash}`)
  await page.reload()
  await page.locator('#app, .app').first().waitFor()
  if (hash !== '#/') await page.locator('[data-region=header] h1').waitFor()
}
const work = (page: Page) => goTo(page, '#/c/engineering')
const last = (page: Page, text: string) => page.locator('article', { hasText: text }).last()
const toMessages = async (page: Page) => {
  await work(page)
  await last(page, 'Bench rig').waitFor()
}
const jump = async ({ page, size }: Walk) => {
  if (size === 'wide') await page.keyboard.press('Control+K')
  else {
    await goTo(page, '#/')
    await button(page, /Jump to/).click()
  }
}
const settings =
  (name?: string): Step =>
  async ({ page, size }) => {
    await goTo(page, size === 'phone' ? '#/' : '#/c/engineering')
    await (size === 'phone' ? openFromTab(page) : button(page, 'Settings').click())
    if (name) await page.locator('.settings-nav').getByRole('button', { name, exact: true }).click()
  }
const openFromTab = async (page: Page) => {
  await page.locator('.tab-bar-tab').last().click()
  await page.getByRole('menuitem').nth(-2).click()
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
const menuOf = async ({ page, size }: Walk, text: string) => {
  const row = last(page, text)
  await row.scrollIntoViewIfNeeded()
  if (size === 'phone') return row.focus().then(() => row.press('Enter'))
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
}

/** In this order: later screens may depend on earlier ones. */
const screens: [name: string, open: Step][] = [
  [
    'main',
    async ({ page, size }) => {
      await toMessages(page)
      await last(page, 'Yes. The watchdog').scrollIntoViewIfNeeded()
      await page.locator('.card .code-card-range, .card pre, .card code').first().waitFor()
      await last(page, 'Bench rig').scrollIntoViewIfNeeded()
      if (size === 'wide') await last(page, 'Morning from the weir').hover()
    },
  ],
  [
    'main-above',
    async ({ page }) => {
      await toMessages(page)
      await last(page, 'Rev C boards').scrollIntoViewIfNeeded()
      await page.locator('.card').first().waitFor()
    },
  ],
  ['home', async ({ page, size }) => (size === 'phone' ? goTo(page, '#/') : goTo(page, '#/d/ines-r,maya'))],
  [
    'search',
    async ({ page }) => {
      await toMessages(page)
      await button(page, 'Search messages').click()
      await panel(page).getByRole('combobox').first().fill('watchdog')
      await panel(page).locator('.result').first().waitFor()
    },
  ],
  [
    'mentions',
    async ({ page, size }) => {
      await goTo(page, size === 'phone' ? '#/' : '#/c/engineering')
      await page
        .getByRole('button', { name: /^Activity/ })
        .first()
        .click()
      await panel(page).locator('.result').first().waitFor()
    },
  ],
  [
    'people',
    async ({ page }) => {
      await toMessages(page)
      await button(page, 'People in this channel').click()
      await panel(page).locator('.option').first().waitFor()
    },
  ],
  [
    'switcher',
    async walk => {
      await toMessages(walk.page)
      await jump(walk)
      await walk.page.getByRole('combobox').first().fill('e')
    },
  ],
  [
    'profile',
    async ({ page }) => {
      await toMessages(page)
      await last(page, 'Yes. The watchdog')
        .getByRole('button', { name: /Profile of|li-wen/ })
        .last()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'new-conversation',
    async ({ page, size }) => {
      await goTo(page, size === 'phone' ? '#/' : '#/c/engineering')
      await button(page, 'New message').click()
      await page.getByRole('combobox', { name: 'To' }).fill('s')
    },
  ],
  [
    'private-create',
    async ({ page, size }) => {
      await goTo(page, size === 'phone' ? '#/' : '#/c/engineering')
      await button(page, 'New private channel').click()
      await page.getByRole('dialog').getByLabel('Name').fill('Spring survey')
    },
  ],
  [
    'private-manage',
    async ({ page }) => {
      await goTo(page, '#/p/1')
      await last(page, 'The connector holds').waitFor()
      await button(page, 'People in this channel').click()
      await button(page, 'Add someone').click()
    },
  ],
  [
    'private-channel',
    async ({ page }) => {
      await goTo(page, '#/p/1')
      await last(page, 'The connector holds').waitFor()
    },
  ],
  ['settings', settings()],
  ...[
    'Profile',
    'Appearance',
    'Notifications',
    'Calls and devices',
    'Keyboard',
    'Password',
    'Sessions',
    'Delete account',
  ].map((name): [string, Step] => [`settings-${name.toLowerCase().replaceAll(' ', '-')}`, settings(name)]),
  [
    'keyboard-sheet',
    async ({ page }) => {
      await toMessages(page)
      await page.keyboard.press('Control+/')
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'status-menu',
    async ({ page, size }) => {
      await goTo(page, size === 'phone' ? '#/' : '#/c/engineering')
      await (size === 'phone'
        ? page.locator('.tab-bar-tab').last()
        : button(page, /Status and sign out/)
      ).click()
    },
  ],
  [
    'picker',
    async walk => {
      await toMessages(walk.page)
      await button(walk.page, 'Emoji').click()
      await walk.page.getByRole('searchbox').or(walk.page.getByPlaceholder('Search emoji')).first().waitFor()
    },
  ],
  [
    'message-menu',
    async walk => {
      await toMessages(walk.page)
      await menuOf(walk, 'Overnight soak')
      await walk.page.getByRole('menuitem').first().waitFor()
    },
  ],
  [
    'message-menu-own',
    async walk => {
      await toMessages(walk.page)
      await menuOf(walk, 'I can take four')
      await walk.page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    },
  ],
  [
    'viewer',
    async ({ page }) => {
      await toMessages(page)
      await page.locator('article img[src^="/files/"]').first().click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'writing',
    async ({ page }) => {
      await goTo(page, '#/c/design')
      await page.locator('[data-region=composer] textarea').fill('The **new** label is `4 mm` wider, @li')
      await page.locator('[data-region=composer] textarea').press('End')
    },
  ],
  [
    'empty-channel',
    async ({ page }) => {
      await page
        .locator('[data-region=composer] textarea')
        .fill('')
        .catch(() => {})
      await goTo(page, '#/c/design')
      await page.getByText('This is the start of').waitFor()
    },
  ],
  [
    'not-sent',
    async ({ page }) => {
      await goTo(page, '#/d/ines-r,maya')
      await page.route('**/send/**', route =>
        route.fulfill({ status: 400, json: { error: 'That is not allowed here' } }),
      )
      const box = page.locator('[data-region=composer] textarea')
      await box.fill('And the short one, to be sure.')
      await button(page, 'Send').click()
      await page.locator('[data-pending=failed]').waitFor()
    },
  ],
  [
    'after-not-sent',
    async ({ page }) => {
      await page.locator('.send-state').getByRole('button', { name: 'Delete' }).click()
      await page.unroute('**/send/**')
    },
  ],
  [
    'reconnecting',
    async ({ page }) => {
      await toMessages(page)
      await page.route('**/*', onlyFiles)
      await page.reload()
      await page.locator('.banner').waitFor({ timeout: 30_000 })
    },
  ],
  [
    'german',
    async ({ page }) => {
      await page.unroute('**/*')
      await page.evaluate(`localStorage.setItem('bothy language', 'de')`)
      await toMessages(page)
    },
  ],
  [
    'german-settings',
    async ({ page, size }) => {
      if (size === 'phone') {
        await goTo(page, '#/')
        await openFromTab(page)
      } else await page.locator('.sidebar-me .icon-button').last().click()
      await page.locator('.settings-nav button').nth(2).click()
    },
  ],
  [
    'right-to-left',
    async ({ page }) => {
      await page.evaluate(`localStorage.removeItem('bothy language')`)
      await toMessages(page)
      await page.evaluate(`document.documentElement.dir = 'rtl'`)
    },
  ],
  [
    'right-to-left-search',
    async ({ page }) => {
      await button(page, 'Search messages').click()
      await panel(page).getByRole('combobox').first().fill('watchdog')
      await panel(page).locator('.result').first().waitFor()
    },
  ],
  [
    'incoming-call',
    async ({ page, caller }) => {
      await toMessages(page)
      await caller.goto(`/#/d/${VIEWER},${CALLER}`)
      await button(caller, 'Start a video call').click()
      await page.getByRole('alertdialog').waitFor()
    },
  ],
  [
    'call',
    async ({ page }) => {
      await page.getByRole('alertdialog').getByRole('button').last().click()
      await page.locator(`.stage [data-person="${CALLER}"]`).waitFor()
      await plays(page, '.stage video')
    },
  ],
  [
    'call-share',
    async ({ page, caller }) => {
      await caller.locator('.stage').getByRole('button', { name: 'Share your screen', exact: true }).click()
      await page.getByText('tomasz is sharing').first().waitFor()
      await plays(page, '.stage video')
    },
  ],
  [
    'call-small',
    async ({ page, size }) => {
      if (size === 'wide') await page.evaluate(`location.hash = '#/c/general'`)
      else await page.goBack()
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    },
  ],
  [
    'screen-share',
    async ({ page, caller }) => {
      await caller.reload()
      await page.reload()
      await caller.goto(`/#/d/${VIEWER},${CALLER}`)
      await goTo(page, `#/d/${VIEWER},${CALLER}`)
      await button(caller, 'Share your screen').click()
      await page.getByText('is sharing a screen').waitFor()
    },
  ],
  [
    'screen-share-watched',
    async ({ page }) => {
      await button(page, 'Watch').click()
      await plays(page, `[data-screen-of="${CALLER}"] video`)
    },
  ],
]

/** Pages without an account. */
const outside = ['login', 'signup', 'forgot-password', 'about', 'reset-password/not-a-token']

const settled = `Promise.race([
  document.fonts.ready.then(() => Promise.all([...document.images].filter(i => !i.complete && i.getBoundingClientRect().top < innerHeight)
    .map(i => new Promise(done => { i.onload = i.onerror = done })))),
  new Promise(done => setTimeout(done, 1500)),
]).then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))`

async function shoot(page: Page, name: string, size: Size) {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.evaluate(settled)
    await page.screenshot({ path: join(folder!, `${name}.${size}.${theme}.png`) })
  }
}

async function contextOf(size: Size): Promise<BrowserContext> {
  const phone = size === 'phone' ? { hasTouch: true, isMobile: true } : {}
  const context = await stack.browser.newContext({
    baseURL: stack.url,
    viewport: SIZES[size],
    reducedMotion: 'reduce',
    ...phone,
  })
  context.setDefaultTimeout(8_000)
  return context
}

async function signIn(context: BrowserContext, name: string) {
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Username').fill(name)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form .button-primary').click()
  await page.locator('[data-region]').first().waitFor()
  return page
}

const caller = await signIn(await contextOf('wide'), CALLER)
for (const size of ['wide', 'phone'] as const) {
  const context = await contextOf(size)
  const stranger = await context.newPage()
  for (const path of outside) {
    if (!isChosen(`outside-${path}`)) continue
    await stranger.goto(`/${path}`)
    await shoot(stranger, `outside-${path.split('/')[0]}`, size)
  }
  await stranger.close()
  const page = await signIn(context, VIEWER)
  const complaints = new BrowserUser(VIEWER, context, page).complaints
  for (const [name, open] of screens) {
    if (!isChosen(name)) continue
    try {
      await open({ page, size, caller })
      await shoot(page, name, size)
    } catch (error) {
      console.log(`${name}, ${size}: ${String(error).split('\n').slice(0, 4).join(' | ')}`)
      await page.screenshot({ path: join(folder, `MISSED-${name}.${size}.png`) }).catch(() => {})
    }
  }
  await people.get('okonkwo')!.send('field-ops', `@${VIEWER} the boat leaves at two.`)
  for (const complaint of complaints) console.log(`${size}: ${complaint}`)
  await caller.goto('about:blank')
  await context.close()
}

await stack.close()
await closeRunBacking()
site.close()
console.log(`Pictures with ${people.size} people are in ${folder}.`)
