/**
 * Takes the six pictures of web/README.md and README.md anew, on a stack with new stores and the data of demo-data.ts.
 *
 *   node infra/pictures/take-pictures.ts [folder, default web/pictures] [names of pictures]
 */
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { ROOT } from '#shared/runtime/config.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import { startFullStack } from '#shared/test-kit/full-stack.ts'
import { openSite } from '#shared/test-kit/site.ts'
import { closeRunBacking } from '#shared/test-kit/stores.ts'
import { buildClient } from '../run/build-client.ts'
import { CALLER, CHANNELS, pages, seedOffice, VIEWER } from './demo-data.ts'

type Theme = 'light' | 'dark'

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** Width of the four phones beside each other, px. */
const PHONE_WIDTH = 308
const PHONE_HEIGHT = 667
const GAP = 8
const MARGIN = 12
const DIRECT = `#/d/${[CALLER, VIEWER].sort().join(',')}`

const [folder = join(ROOT, 'web/pictures'), ...names] = process.argv.slice(2)
await buildClient(console.log)
const site = await openSite(await pages())
const stack = await startFullStack({
  settings: { channels: CHANNELS, preview_allow: [site.host] },
  previews: true,
  chromium: FAKE_DEVICES,
})
const people = await seedOffice(stack.url, stack.backing.env.DATABASE_URL, site.url)

const pictures: Record<string, () => Promise<Sharp>> = {
  main: () => wide('light', VIEWER, conversation),
  search: () => wide('dark', VIEWER, search),
  call: () => wide('light', VIEWER, call),
  settings: () => wide('light', VIEWER, settings),
  'sign-up': () => wide('dark', undefined, page => page.goto('/signup')),
  phone,
}

try {
  for (const [name, take] of Object.entries(pictures)) {
    if (names.length > 0 && !names.includes(name)) continue
    const picture = await take()
    await picture.png({ palette: true }).toFile(join(folder, `${name}.png`))
    console.log(`${name}.png`)
  }
} finally {
  await stack.close()
  await closeRunBacking()
  site.close()
}

async function contextOf(name: string | undefined, more: object): Promise<BrowserContext> {
  const context = await stack.browser.newContext({
    baseURL: stack.url,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...more,
  })
  if (name === undefined) return context
  const [cookie, value] = people.get(name)!.cookie.split('=') as [string, string]
  await context.addCookies([{ name: cookie, value, url: stack.url, httpOnly: true, sameSite: 'Lax' }])
  return context
}

async function wide(
  theme: Theme,
  viewer: string | undefined,
  open: (page: Page) => Promise<unknown>,
): Promise<Sharp> {
  const context = await contextOf(viewer, { viewport: WIDE, colorScheme: theme })
  const page = await context.newPage()
  await open(page)
  const picture = sharp(await shot(page))
  await context.close()
  return picture
}

async function phone(): Promise<Sharp> {
  const screens: [Theme, (page: Page) => Promise<unknown>][] = [
    ['light', home],
    ['dark', conversation],
    ['dark', menu],
    ['light', search],
  ]
  const context = await contextOf(VIEWER, { viewport: PHONE, hasTouch: true, isMobile: true })
  const layers: OverlayOptions[] = []
  for (const [i, [theme, open]] of screens.entries()) {
    const page = await context.newPage()
    await page.emulateMedia({ colorScheme: theme })
    await open(page)
    const input = await sharp(await shot(page))
      .resize(PHONE_WIDTH, PHONE_HEIGHT)
      .toBuffer()
    layers.push({ input, left: MARGIN + i * (PHONE_WIDTH + GAP), top: MARGIN })
    await page.close()
  }
  await context.close()
  const width = 2 * MARGIN + screens.length * PHONE_WIDTH + (screens.length - 1) * GAP
  const ground = { width, height: 2 * MARGIN + PHONE_HEIGHT, channels: 3 as const, background: '#8a9a97' }
  return sharp({ create: ground }).composite(layers)
}

/** Waits for fonts and pictures, and for two frames. */
async function shot(page: Page): Promise<Buffer> {
  await page.evaluate(`Promise.race([
    document.fonts.ready.then(() => Promise.all([...document.images].filter(image => !image.complete)
      .map(image => new Promise(done => { image.onload = image.onerror = done })))),
    new Promise(done => setTimeout(done, 1500)),
  ]).then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))`)
  return page.screenshot()
}

function row(page: Page, text: string): Locator {
  return page.locator('article', { hasText: text }).last()
}

async function conversation(page: Page) {
  await page.goto('/#/c/engineering')
  await row(page, 'Yes. The watchdog').scrollIntoViewIfNeeded()
  await page.locator('.card pre, .card code').first().waitFor()
  await row(page, 'Bench rig').scrollIntoViewIfNeeded()
}

async function home(page: Page) {
  await page.goto('/#/')
  await page.locator('.tab-bar').waitFor()
}

async function menu(page: Page) {
  await conversation(page)
  const message = row(page, 'Overnight soak')
  await message.scrollIntoViewIfNeeded()
  await message.focus()
  await message.press('Enter')
  await page.getByRole('menuitem').first().waitFor()
}

async function search(page: Page) {
  await conversation(page)
  await page.goto('/#/search/watchdog')
  await page.locator('.result').first().waitFor()
}

async function settings(page: Page) {
  await conversation(page)
  await page.goto('/#/settings/profile')
  await page.locator('dialog[open]').waitFor()
}

/** The caller calls with video and shares a screen; the viewer answers without a camera. */
async function call(page: Page) {
  await page.goto(`/${DIRECT}`)
  await page.locator('[data-region=composer] textarea').waitFor()
  const other = await contextOf(CALLER, { viewport: WIDE })
  const caller = await other.newPage()
  await caller.goto(`/${DIRECT}`)
  await caller.getByRole('button', { name: 'Start a video call' }).click()
  await page.getByRole('alertdialog').locator('.button-accept').click()
  await caller.locator('.stage').getByRole('button', { name: 'Share your screen' }).click()
  await page.locator('.stage .share-tile, .stage [data-screen-of]').first().waitFor()
  await page.waitForFunction(
    `[...document.querySelectorAll('.stage video')].some(video => video.videoWidth > 0 && video.currentTime > 1)`,
  )
}
