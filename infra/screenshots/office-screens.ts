/** Screens of administration, public channels, statuses and one's own sidebar. */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { eventually } from '#shared/test-kit/eventually.ts'
import { VIEWER } from './demo-data.ts'
import type { Screen } from './screen.ts'

const COLOUR = `getComputedStyle(document.documentElement).getPropertyValue('--c-accent')`
/** A logo that is not bothy's. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" rx="40" fill="#24126a"/><path d="M36 150q46-50 92 0t92 0v60H36Z" fill="#9ad1ff"/><circle cx="176" cy="84" r="30" fill="#ffd166"/></svg>'

const menu = (page: Page) => page.getByRole('menuitem').first().waitFor()
const dialog = (page: Page) => page.locator('dialog[open]').last().waitFor()

async function open(page: Page, hash: string, seen: string) {
  await page.goto(`/${hash}`)
  await page.locator(seen).locator('visible=true').first().waitFor()
}

const at = (name: string, hash: string, seen: string): Screen => ({
  name,
  open: ({ page }) => open(page, hash, seen),
})
const administration = (page: string): Screen =>
  at(`admin-${page}`, `#/admin/${page}`, '.admin-page, [role=tabpanel], main')

export const officeScreens: Screen[] = [
  {
    name: 'own-sidebar',
    open: ({ page, size }) =>
      size === 'phone' ? open(page, '#/', '.tab-bar') : open(page, '#/c/engineering', 'article'),
  },
  {
    name: 'channels-menu',
    continues: true,
    async open({ page }) {
      await page.locator('[data-place=channels] [aria-haspopup=menu]').click()
      await menu(page)
    },
  },
  {
    name: 'row-menu-notify',
    async open({ page, size }) {
      await open(page, size === 'phone' ? '#/' : '#/c/engineering', '.sidebar-row')
      await page.locator('nav [data-channel="field-ops"]').first().focus()
      await page.keyboard.press('ContextMenu')
      await menu(page)
      await page.locator('[role=menuitem][aria-haspopup=menu]').nth(1).click()
    },
  },
  at('details', '#/c/engineering/about', '[role=tabpanel] .details-part'),
  at('browse', '#/channels', '[data-region=panel] li, .browse-row'),
  at('preview-of-channel', '#/c/sensor-bench', '.composer-closed'),
  at('archived-channel', '#/c/old-rig', '.composer-closed'),
  at('removed-message', '#/c/design', 'article'),
  at('announcements', '#/c/announcements', 'article'),
  {
    name: 'status-dialog',
    async open({ page, size }) {
      await open(page, size === 'phone' ? '#/' : '#/c/engineering', '.sidebar-row')
      await page.locator(size === 'phone' ? '.tab-bar-tab:last-child' : '.sidebar-me-person').click()
      await menu(page)
      await page.getByRole('menuitem').first().click()
      await dialog(page)
    },
  },
  {
    name: 'profile-of-colleague',
    async open({ page }) {
      await open(page, '#/c/engineering', 'article')
      await page
        .locator('article .message-author', { hasText: /Tomasz|tomasz/ })
        .first()
        .click()
      await page.locator('[role=dialog], dialog[open]').first().waitFor()
    },
  },
  {
    name: 'invite-dialog',
    async open({ page }) {
      await open(page, '#/admin/invites', 'main')
      await page.locator('.button-primary').last().click()
      await dialog(page)
    },
  },
  {
    name: 'invite-printed',
    async open({ page }) {
      await open(page, '#/admin/invites', 'main')
      await page.locator('.button-primary').last().click()
      await dialog(page)
      await page.getByRole('dialog').locator('.button-primary').last().click()
      await page.locator('.invite-made').first().waitFor({ state: 'attached' })
      await page.emulateMedia({ media: 'print' })
    },
    tidy: ({ page }) => page.emulateMedia({ media: 'screen' }),
  },
  {
    name: 'new-account',
    async open({ page }) {
      await open(page, '#/admin/people', 'main')
      await page.getByRole('button', { name: /New account|Neues Konto/ }).click()
      await dialog(page)
    },
  },
  {
    name: 'admin-person',
    async open({ page }) {
      await open(page, '#/admin/people', '.admin-person')
      await page.locator('.admin-person').nth(2).click()
      await page.locator('.person-panel').waitFor()
    },
  },
  {
    name: 'browse-archived',
    async open({ page }) {
      await open(page, '#/channels', '.browse-row')
      await page.locator('.filter-chip').nth(2).click()
      await page.locator('.browse-row .word-tag').first().waitFor()
    },
  },
  {
    name: 'new-channel-close-name',
    async open({ page }) {
      await open(page, '#/channels', '.browse-row')
      await page.locator('.panel-head .button-primary').click()
      await page.locator('#channel-name').fill('engineering crew')
      await page.locator('.browse-near a').waitFor()
    },
  },
  {
    name: 'admin-settings-own-look',
    async open({ page }) {
      await open(page, '#/admin/settings', '.setting-logo')
      await page.locator('.setting-control input[type=file]').setInputFiles({
        name: 'gauge.png',
        mimeType: 'image/png',
        buffer: await sharp(Buffer.from(LOGO)).png().toBuffer(),
      })
      await page.locator('.setting-logo img').waitFor()
      const accent = page.locator(
        '[data-setting=accent] input[type=text], [data-setting=accent] input:not([type])',
      )
      await accent.first().fill('8a2be2')
      const before = await page.evaluate<string>(COLOUR)
      await accent.first().press('Enter')
      // A function of the page would be refused by its Content-Security-Policy.
      await eventually(async () => {
        if ((await page.evaluate<string>(COLOUR)) === before) throw new Error('still teal')
      })
    },
    async tidy({ page }) {
      await page.locator('[data-setting=accent] .button-quiet').first().click()
    },
  },
  {
    name: 'audit-entry',
    async open({ page }) {
      await open(page, '#/admin/audit', '.audit-entry')
      await page.locator('.audit-entry', { hasText: 'Riverwatch' }).first().locator('summary').click()
    },
  },
  {
    name: 'new-channel-archived',
    async open({ page }) {
      await open(page, '#/channels', '.browse-row')
      await page.locator('.panel-head .button-primary').click()
      await page.locator('#channel-name').fill('Old rig')
      await page.locator('.name-hint button').waitFor()
    },
  },
  {
    name: 'add-a-topic',
    only: 'wide',
    async open({ page }) {
      await open(page, '#/c/design', '.channel-header-topic')
      await page.locator('.channel-header-topic').hover()
    },
  },
  {
    name: 'channel-with-guests',
    open: ({ page }) => open(page, '#/c/design', '.channel-header-below, .channel-header-guests'),
  },
  {
    name: 'owner-card-back',
    async open({ page, people }) {
      await people.get(VIEWER)!.patchJson('/preferences', { owner_card: false })
      await open(page, '#/c/general', 'article')
      await page.evaluate(name => localStorage.setItem(`bothy ready ${name}`, `/ ${Date.now()}`), VIEWER)
      await page.reload()
      await page.locator('article').first().waitFor()
      await page.locator('.message-list').evaluate(list => list.scrollTo(0, 0))
      await page.locator('.owner-card').waitFor()
    },
  },
  ...[
    'people',
    'approvals',
    'groups',
    'invites',
    'channels',
    'settings',
    'ready',
    'backups',
    'statistics',
    'audit',
  ].map(administration),
]
