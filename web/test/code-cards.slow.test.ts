import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { openSite, type Site } from '#shared/test-kit/site.ts'
import { cardIn, cardSeenIn } from './cards.fixture.ts'

/** Sixty lines; the fortieth is long. */
const SLUICE = Array.from({ length: 60 }, (_, i) =>
  i === 39 ? `    let long = "${'x'.repeat(200)}"; // ${i + 1}` : `    gate.open(${i + 1}); // line ${i + 1}`,
).join('\n')

describe('a card with code', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let site: Site
  let ada: BrowserUser
  let page: Page
  let cleo: Person

  before(async () => {
    site = await openSite({ '/sluice.rs': { type: 'text/plain', body: SLUICE } })
    stack = await startFullStack({ settings: { preview_allow: [site.host] }, previews: true })
    cleo = await stack.person('cleo')
    ada = await stack.user('ada')
    page = ada.page
    await ada.signUp(PASSWORD)
  })
  after(async () => {
    await stack?.close()
    site?.close()
  })

  it('shows the lines that the address names, highlighted', async () => {
    await cleo.send('general', `why ${site.url}/sluice.rs#L39-L40`)
    const card = await cardSeenIn(ada.row('why'))
    expect(await card.locator('.code-card-head').textContent()).to.equal('sluice.rsLines 36–43 of 60')
    expect(await card.locator('.code-card-line.is-highlighted i').allTextContents()).to.deep.equal([
      '39',
      '40',
    ])
    expect(await card.locator('.code-function').first().textContent()).to.equal('open')
    expect(await card.locator('.code-comment').first().textContent()).to.equal('// line 36')
    // The code scrolls, so it is focusable.
    const code = card.getByRole('group', { name: 'Code from sluice.rs, lines 39 to 40 marked' })
    expect(await code.getAttribute('tabindex')).to.equal('0')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await card.getByRole('button', { name: 'Copy the code' }).click()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).to.equal(SLUICE.split('\n').slice(35, 43).join('\n'))
  })

  it('shows twelve lines first, and all on request', async () => {
    await cleo.send('general', `the whole ${site.url}/sluice.rs`)
    const card = await cardSeenIn(ada.row('the whole'))
    expect(await card.locator('.code-card-line').count()).to.equal(12)
    await card.getByRole('button', { name: 'Show all 40 lines' }).press('Enter')
    await eventually(async () => expect(await card.locator('.code-card-line').count()).to.equal(40))
    expect(await card.locator('.code-card-range').textContent()).to.equal('Lines 1–40 of 60')
    await card.getByRole('button', { name: 'Show fewer' }).press('Enter')
    await eventually(async () => expect(await card.locator('.code-card-line').count()).to.equal(12))
  })

  it('stays plain when its highlighting would take for ever, and later code is highlighted', async () => {
    await ada.say(`\`\`\`md\n${'[a]('.repeat(2_400)}\n\`\`\``)
    await ada.row('[a](').locator('code').waitFor()
    await ada.say('```ts\nlet after = 1\n```')
    // The page itself stays responsive all the while.
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await ada.row('let after').locator('.code-keyword').waitFor()
    expect(await ada.row('[a](').locator('code [class^=code-]').count()).to.equal(0)
  })

  it('is accessible, in light and in dark, also with code written into the message', async () => {
    await ada.say('```ts\nconst a = f("b") // c\n```')
    await ada.row('const a').locator('.code-keyword').waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      // Wait for colour transitions: axe would measure colours in between.
      await eventually(async () => expect(await page.evaluate('document.getAnimations().length')).to.equal(0))
      await cardIn(ada.row('why')).scrollIntoViewIfNeeded()
      expect(await axeFindings(page)).to.deep.equal([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  it('of a stored file is shown on request, and the file can be downloaded', async () => {
    const db = new pg.Client(stack.backing.env.DATABASE_URL)
    await db.connect()
    const folder = fileURLToPath(stack.backing.env.FILES_URL)
    mkdirSync(folder, { recursive: true })
    const filename = `${'c'.repeat(32)}_bring-up.csv`
    writeFileSync(join(folder, filename), 'unit,volt\n7,3.31\n')
    const id = await cleo.send('general', 'a file')
    await db.query('update messages set filename = $1, content = null where id = $2', [filename, id])
    await db.end()
    await page.reload()
    // A row without text is drawn with the row before it.
    const preview = page.getByRole('button', { name: 'Preview bring-up.csv' })
    await preview.press('Enter')
    const card = page.locator('.file-card + .card')
    await card.waitFor()
    expect(await card.locator('.code-card-line i').allTextContents()).to.deep.equal(['1', '2'])
    expect(await preview.getAttribute('aria-expanded')).to.equal('true')
    const loading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download bring-up.csv' }).click()
    expect((await loading).suggestedFilename()).to.equal('bring-up.csv')
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('causes no error in the page', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
