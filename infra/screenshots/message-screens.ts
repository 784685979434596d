/** Screens of what people keep, find, send later and attach. */
import type { Page } from 'playwright-core'
import { talkInThread } from './message-data.ts'
import type { Screen } from './screen.ts'

async function open(page: Page, hash: string, seen: string) {
  await page.goto(`/${hash}`)
  await page.locator('article, [data-region], .centred').locator('visible=true').first().waitFor()
  await page.locator(seen).locator('visible=true').first().waitFor()
}
const at = (name: string, hash: string, seen: string): Screen => ({
  name,
  open: ({ page }) => open(page, hash, seen),
})
const panel = (page: Page) => page.locator('[data-region=panel]')

async function dragFileOver(page: Page, place: string) {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'x.txt'))
    const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
    document.querySelector('${place}').dispatchEvent(over)
  }`)
  await page.locator('.drop-hint').waitFor()
}

export const messageScreens: Screen[] = [
  at('later', '#/saved', '[data-region=panel] li'),
  {
    name: 'later-remind',
    continues: true,
    async open({ page }) {
      await panel(page)
        .locator('li')
        .last()
        .getByRole('button', { name: /^(Remind|Erinner)/ })
        .first()
        .click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'later-done',
    async open({ page }) {
      await open(page, '#/saved', '[data-region=panel] li')
      await panel(page)
        .getByRole('button', { name: /^(Done|Erledigt)$/ })
        .first()
        .click()
      await panel(page).locator('li').first().waitFor()
    },
  },
  at('scheduled', '#/scheduled', '[data-region=panel] li'),
  {
    name: 'scheduled-edit',
    continues: true,
    async open({ page }) {
      await panel(page)
        .getByRole('button', { name: /^(Edit the text|Text ändern)/ })
        .last()
        .click()
      await panel(page).locator('textarea').waitFor()
    },
  },
  {
    name: 'send-later',
    async open({ page }) {
      await open(page, '#/c/design', '[data-region=composer] textarea')
      await page.locator('[data-region=composer] textarea').fill('The new label is wider.')
      await page
        .getByRole('button', { name: /^(Send later|Später senden|Sp.ter)/ })
        .locator('visible=true')
        .first()
        .click()
      await page.getByRole('menuitem').first().waitFor()
    },
    async tidy({ page }) {
      await page.keyboard.press('Escape')
      await page.locator('[data-region=composer] textarea').fill('')
    },
  },
  at('pins', '#/c/engineering/pins', '[data-region=panel] li'),
  at('files', '#/c/engineering/files', '[data-region=panel] .files-text'),
  {
    name: 'thread',
    async open({ page, people }) {
      await open(page, '#/c/deploys', 'article')
      await talkInThread(people)
      await page.goto('/#/c/engineering')
      await page.locator('.thread-summary-new').last().click()
      await page.locator('.thread-rows .new-messages-line').waitFor()
    },
  },
  {
    name: 'thread-menu',
    continues: true,
    async open({ page }) {
      await page.getByRole('button', { name: /^(More about this|Mehr zu dieser)/ }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'threads',
    async open({ page, people }) {
      await open(page, '#/c/deploys', 'article')
      await talkInThread(people)
      await open(page, '#/threads', '.thread-item')
    },
  },
  {
    name: 'thread-beside',
    continues: true,
    async open({ page }) {
      await page.locator('.thread-item').first().click()
      await page.locator('.thread-panel article').first().waitFor()
    },
  },
  {
    name: 'thread-files',
    continues: true,
    async open({ page }) {
      const panel = page.locator('.thread-panel')
      await panel
        .locator('input[type=file]')
        .setInputFiles([{ name: 'antenna.txt', mimeType: 'text/plain', buffer: Buffer.from('old antenna') }])
      await panel.getByText('antenna.txt').waitFor()
      await dragFileOver(page, '.thread-rows')
    },
  },
  {
    name: 'drop',
    async open({ page }) {
      await open(page, '#/c/engineering', 'article')
      await dragFileOver(page, '#messages')
    },
  },
  {
    name: 'drafts',
    async open({ page }) {
      await open(page, '#/scheduled', '[data-region=panel] li')
      await panel(page).locator('h2').last().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'versions',
    async open({ page }) {
      await open(page, '#/c/off-topic', 'article')
      await page
        .locator('article', { hasText: 'Round three' })
        .getByRole('button', { name: /\((edited|bearbeitet)\)/ })
        .click()
      await page.getByRole('list', { name: /^(Versions|Fassungen|Versionen)/ }).waitFor()
    },
  },
  at('file-cards', '#/c/engineering', '.file-card'),
  {
    name: 'file-cards-open',
    async open({ page }) {
      await open(page, '#/c/field-ops', '.file-card')
      await page.getByRole('button', { name: /^(Contents of|Inhalt von)/ }).click()
      await page.locator('.zip-contents').waitFor()
    },
  },
]
