/**
 * Takes screenshots of every screen, wide (1440 × 900) and on a phone (390 × 844), in English (dark and light) and
 * German (light), to compare with the mock-ups.
 *
 *   node infra/screenshots/screenshots.ts <folder> [names of screens, with commas between, or all] [looks: wide-en,phone-de]
 *
 * A stack with new stores and the demo data of demo-data.ts. Screens that cannot be reached are reported and skipped.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { startFullStack } from '#shared/test-kit/full-stack.ts'
import { openSite } from '#shared/test-kit/site.ts'
import { closeRunBacking } from '#shared/test-kit/stores.ts'
import { buildClient } from '../run/build-client.ts'
import { seedBackups } from './backup-data.ts'
import { CALLER, CHANNELS, pages, seedOffice, THIRD, VIEWER } from './demo-data.ts'
import { seedMessages } from './message-data.ts'
import { seedAdministration } from './office-data.ts'
import type { Size } from './screen.ts'
import { outside, screens } from './screens.ts'

/** Code of the link of the first owner. */
const CLAIM = 'HEREISTHEKEY2345'
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const LOOKS = [
  { size: 'wide', language: 'en' },
  { size: 'phone', language: 'en' },
  { size: 'wide', language: 'de' },
  { size: 'phone', language: 'de' },
] as const
type Look = (typeof LOOKS)[number]

const [folder, names = 'all', looks = ''] = process.argv.slice(2)
const chosen = names === 'all' ? '' : names
if (!folder) throw new Error('Name a folder for the pictures.')
mkdirSync(folder, { recursive: true })
/** A screen is chosen with those before it that it continues. */
const isChosen = (at: number): boolean =>
  chosen === '' ||
  chosen.split(',').includes(screens[at]!.name) ||
  (screens[at + 1]?.continues === true && isChosen(at + 1))

await buildClient(console.log)
const site = await openSite(await pages())
const stack = await startFullStack({
  settings: { channels: CHANNELS, preview_allow: [site.host] },
  previews: true,
  chromium: FAKE_DEVICES,
})
const settled = `Promise.race([
  document.fonts.ready.then(() => Promise.all([...document.images].filter(i => !i.complete && i.getBoundingClientRect().top < innerHeight)
    .map(i => new Promise(done => { i.onload = i.onerror = done })))),
  new Promise(done => setTimeout(done, 1500)),
]).then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))`

const shownLooks = LOOKS.filter(
  ({ size, language }) => looks === '' || looks.split(',').includes(`${size}-${language}`),
)
await stack.backing.admin(`insert into claim_codes (code_hash, made_ts) values (sha256('${CLAIM}'), 0)`)
for (const look of shownLooks) await signedOut(look, [`claim/${CLAIM}`])
const people = await seedOffice(stack.url, stack.backing.env.DATABASE_URL, site.url)
const invitation = await seedAdministration(stack.url, people)
await seedMessages(people, stack.backing.admin)
await seedBackups(stack.backing.admin)

async function shoot(page: Page, name: string, { size, language }: Look) {
  for (const theme of language === 'en' ? (['dark', 'light'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.evaluate(settled)
    const look = language === 'en' ? theme : language
    await page.screenshot({ path: join(folder!, `${name}.${size}.${look}.png`) })
  }
}

async function contextOf(size: Size, language = 'en', name?: string): Promise<BrowserContext> {
  const phone = size === 'phone' ? { hasTouch: true, isMobile: true } : {}
  const context = await stack.browser.newContext({
    baseURL: stack.url,
    viewport: SIZES[size],
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    reducedMotion: 'reduce',
    ...phone,
  })
  context.setDefaultTimeout(8_000)
  if (name) {
    const [cookie, value] = people.get(name)!.cookie.split('=') as [string, string]
    await context.addCookies([{ name: cookie, value, url: stack.url, httpOnly: true, sameSite: 'Lax' }])
  }
  return context
}

async function signedOut(look: Look, paths: readonly string[]) {
  const context = await contextOf(look.size, look.language)
  const page = await context.newPage()
  for (const path of paths) {
    const name = `outside-${path.split('/')[0]}`
    if (chosen !== '' && !chosen.split(',').includes(name)) continue
    await page.goto(`/${path}`)
    await shoot(page, name, look)
  }
  await context.close()
}

async function signedIn(look: Look, caller: Page, third: Page) {
  const { size, language } = look
  const context = await contextOf(size, language, VIEWER)
  const complaints = new Set<string>()
  let page: Page | undefined
  for (const [at, { name, open, continues, only, tidy }] of screens.entries()) {
    if (!isChosen(at) || (only && only !== size)) continue
    if (!page || !continues) {
      await page?.close()
      page = await context.newPage()
      const listed = new BrowserUser(VIEWER, context, page).complaints
      page.on('close', () => listed.forEach(complaint => void complaints.add(complaint)))
    }
    const walk = { page, size, caller, third, people }
    try {
      await open(walk)
      await shoot(page, name, look)
    } catch (error) {
      console.log(`${name}, ${size}, ${language}: ${String(error).split('\n').slice(0, 4).join(' | ')}`)
      await page.screenshot({ path: join(folder!, `MISSED-${name}.${size}.${language}.png`) }).catch(() => {})
    }
    await tidy?.(walk)?.catch((error: Error) => console.log(`after ${name}: ${error.message.split('\n')[0]}`))
  }
  await page?.close()
  for (const complaint of complaints) console.log(`${size}, ${language}: ${complaint}`)
  await context.close()
}

/** They would count as offline after 90 seconds. */
const present = setInterval(() => {
  for (const [name, person] of people)
    if (!['per', 'yusuf', VIEWER].includes(name))
      void person
        .postJson('/presence', { state: name === 'sanna' ? 'idle' : 'active', tab: `${name}-1` })
        .catch(() => {})
}, 30_000)
const caller = await (await contextOf('wide', 'en', CALLER)).newPage()
const third = await (await contextOf('wide', 'en', THIRD)).newPage()
for (const look of shownLooks) {
  await signedOut(look, [...outside, `invite/${invitation}`])
  await signedIn(look, caller, third)
  await people.get('okonkwo')!.send('field-ops', `@${VIEWER} the boat leaves at two.`)
}

clearInterval(present)
await stack.close()
await closeRunBacking()
site.close()
console.log(`Pictures with ${people.size} people are in ${folder}.`)
