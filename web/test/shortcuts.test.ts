import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { SHORTCUTS, type ShortcutId } from '../src/common/shortcuts.ts'
import { Keyboard } from './shortcuts.fixture.ts'

describe('the keyboard shortcuts of the table', function () {
  this.timeout(120_000)
  const keyboard = new Keyboard()
  const { article, becomes, flashes, lineNow, page, press, regionNow, stand, wraps, write, written } =
    keyboard

  before(() => keyboard.start())
  after(() => keyboard.stack?.close())

  const checks: Partial<Record<ShortcutId, () => Promise<void>>> = {
    async jump() {
      await press('Control+k')
      await shown(page().getByRole('combobox', { name: 'Jump to' }))
      await press('Escape')
    },
    async search() {
      await stand('note 39')
      // Keys typed next belong to the field, even before it is mounted.
      await press('/', 'r', 'e')
      await focusIsOn(page(), '[data-region=panel] input')
      await becomes(() => page().locator('[data-region=panel] input').inputValue(), 're')
      await press('Escape')
      await focusIsOn(page(), '#composer')
    },
    async searchAnywhere() {
      await keyboard.ada.composer.focus()
      await press('Control+Shift+F')
      await focusIsOn(page(), '[data-region=panel] input')
      await press('Escape')
      await focusIsOn(page(), '#composer')
    },
    async activity() {
      await press('Control+Shift+M')
      await shown(page().locator('[data-region=panel]').getByRole('heading', { name: 'Activity' }))
      await press('Escape')
      await gone(page().locator('[data-region=panel]'))
      await keyboard.ada.composer.focus()
    },
    async newDirect() {
      await press('Control+Shift+K')
      await shown(page().getByRole('dialog', { name: 'New message' }))
      await press('Escape')
      await gone(page().getByRole('dialog', { name: 'New message' }))
    },
    async details() {
      await keyboard.ada.composer.focus()
      await press('Control+.')
      await shown(page().locator('[data-region=panel]'))
      await press('Control+.')
      await gone(page().locator('[data-region=panel]'))
    },
    async upload() {
      const chooser = page().waitForEvent('filechooser')
      // The browser intercepts choosers from the next round trip on.
      await page().evaluate('0')
      await press('Control+u')
      expect((await chooser).isMultiple()).to.equal(true)
    },
    async help() {
      await stand('note 39')
      await press('?')
      await page().getByRole('textbox', { name: 'Filter' }).fill('alt unread')
      await becomes(() => page().locator('.keyboard-sheet-row').count(), 1)
      // In the middle of a name of a place ("Anywhere") it would match nearly all.
      await page().getByRole('textbox', { name: 'Filter' }).fill('where')
      await becomes(() => page().locator('.keyboard-sheet-row').count(), 0)
      await page().getByRole('textbox', { name: 'Filter' }).fill('zzqq')
      await shown(page().getByText('No key for “zzqq”.'))
      await press('Escape')
      await gone(page().locator('.keyboard-sheet'))
      await keyboard.ada.composer.focus()
    },
    async sheet() {
      await press('Control+/')
      await becomes(
        () => page().locator('.keyboard-sheet-row').count(),
        Object.values(SHORTCUTS).flat().length,
      )
      await expectAccessible(keyboard.ada.page)
      await press('Escape')
      await gone(page().locator('.keyboard-sheet'))
    },
    async region() {
      await keyboard.ada.composer.focus()
      for (const region of ['sidebar', 'header', 'messages', 'composer']) {
        await press('F6')
        await becomes(regionNow, region)
      }
    },
    async regionBack() {
      // The sidebar is a single Tab stop, with arrows inside.
      await press('F6')
      await becomes(lineNow, 'general')
      await press('ArrowDown', 'ArrowDown')
      await becomes(lineNow, 'Rev D board')
      await press('ArrowUp', 'ArrowRight')
      await becomes(lineNow, 'New private channel')
      await press('Tab')
      await becomes(regionNow, 'header')
      await press('Shift+Tab')
      await becomes(lineNow, 'New private channel')
      await keyboard.ada.composer.focus()
      for (const region of ['messages', 'header', 'sidebar', 'composer']) {
        await press('Shift+F6')
        await becomes(regionNow, region)
      }
    },
    async neighbour() {
      await press('Alt+ArrowDown')
      await shown(keyboard.ada.heading.getByText('Rev D board'))
      await press('Alt+ArrowUp')
      await shown(keyboard.ada.heading.getByText('general'))
    },
    async unread() {
      await press('Alt+Shift+ArrowDown')
      await shown(keyboard.ada.heading.getByText('general'))
      await keyboard.bob.send(keyboard.channel, 'anyone?')
      await shown(keyboard.ada.sidebarRow('Rev D board').locator('.unread-count'))
      await press('Alt+Shift+ArrowDown')
      await shown(keyboard.ada.heading.getByText('Rev D board'))
      await press('Alt+ArrowUp')
      await shown(keyboard.ada.heading.getByText('general'))
      await shown(article('note 39'))
    },
    async back() {
      await shown(article('the answer'))
      await article('the answer').locator('.reply-quote').click()
      await flashes('note 0.')
      await press('Alt+ArrowLeft')
      await flashes('the answer')
    },
    async escape() {
      await page().getByRole('button', { name: 'Details of this channel' }).click()
      await shown(page().locator('[data-region=panel]'))
      await press('Escape')
      await gone(page().locator('[data-region=panel]'))
      await focusIsOn(page(), '#composer')
    },
    async allRead() {
      await keyboard.bob.send(keyboard.channel, 'read this')
      await shown(keyboard.ada.sidebarRow('Rev D board').locator('.unread-count'))
      await press('Shift+Escape')
      await gone(keyboard.ada.sidebarRow('Rev D board').locator('.unread-count'))
      await focusIsOn(page(), '#composer')
    },
    async moveRow() {
      const rows = page().locator('[data-place="channels"] [data-channel]')
      const order = () => rows.evaluateAll(found => found.map(row => row.textContent).join())
      const before = await order()
      await rows.last().focus()
      await press('Alt+Shift+PageUp')
      await eventually(async () => expect(await order()).to.not.equal(before))
      // The row is drawn again, and has the focus a frame later.
      await focusIsOn(page(), ':is([data-channel], [data-channel] *)')
      await press('Alt+Shift+PageDown')
      await becomes(order, before)
      await keyboard.ada.composer.focus()
    },
    async rowMenu() {
      await keyboard.ada.sidebarRow('Rev D board').focus()
      await press('Shift+F10')
      await shown(page().getByRole('menu', { name: 'Actions for Rev D board' }))
      await press('Escape')
      await gone(page().getByRole('menu'))
      await becomes(lineNow, 'Rev D board')
    },
    async letter() {
      await page().evaluate(() => (document.activeElement as HTMLElement).blur())
      await press('h', 'i')
      await becomes(written, 'hi')
      await keyboard.ada.composer.fill('')
    },
    async send() {
      await page().keyboard.type('sent by Enter')
      await press('Enter')
      await shown(article('sent by Enter'))
      await becomes(written, '')
    },
    async sendAlways() {
      await keyboard.ada.composer.fill('```\nsent from a fence')
      await press('Control+Enter')
      await shown(article('sent from a fence'))
      await becomes(written, '')
    },
    async sendLater() {
      await page().keyboard.type('not now')
      await press('Control+Shift+Enter')
      await shown(page().getByRole('menuitem', { name: /^Tomorrow/ }))
      await press('Escape')
      await keyboard.ada.composer.fill('')
    },
    async sendQuietly() {
      await page().keyboard.type('sent quietly')
      await press('Control+Alt+Enter')
      await shown(article('sent quietly'))
      await becomes(written, '')
    },
    async newLine() {
      await page().keyboard.type('one')
      await press('Shift+Enter')
      await page().keyboard.type('two')
      await becomes(written, 'one\ntwo')
      await keyboard.ada.composer.fill('')
    },
    async editLast() {
      await keyboard.ada.composer.press('ArrowUp')
      await shown(page().getByRole('textbox', { name: 'Edit message' }))
      await press('Escape')
      await focusIsOn(page(), '#composer')
    },
    async replyLast() {
      await keyboard.ada.composer.press('Shift+ArrowUp')
      await shown(page().locator('.composer-context', { hasText: 'sent quietly' }))
      await press('Escape')
      await gone(page().locator('.composer-context'))
    },
    async recall() {
      await keyboard.ada.composer.press('Control+ArrowUp')
      await becomes(written, 'sent quietly')
      await press('Control+ArrowUp')
      await becomes(written, '```\nsent from a fence')
      await press('Control+ArrowUp')
      await becomes(written, 'sent by Enter')
      await press('Control+ArrowDown', 'Control+ArrowDown', 'Control+ArrowDown')
      await becomes(written, '')
    },
    bold: () => wraps('Control+b', '*x*'),
    italic: () => wraps('Control+i', '_x_'),
    strike: () => wraps('Control+Shift+x', '~x~'),
    numbers: () => wraps('Control+Shift+7', '1. x'),
    bullets: () => wraps('Control+Shift+8', '- x'),
    quote: () => wraps('Control+Shift+9', '> x'),
    async indent() {
      await write('- x')
      await press('Tab')
      await becomes(written, '  - x')
      await press('Shift+Tab')
      await becomes(written, '- x')
      await keyboard.ada.composer.fill('')
    },
    code: () => wraps('Control+Shift+e', '`x`'),
    async link() {
      await wraps('Control+k', '[x](https://)')
      await keyboard.ada.composer.fill('')
    },
    async pastePlain() {
      await page().context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page().evaluate(() => navigator.clipboard.writeText('https://example.org/'))
      await write('x')
      await press('Control+v')
      await becomes(written, '[x](https://example.org/)')
      await write('x')
      await press('Control+Shift+v')
      await becomes(written, 'https://example.org/')
    },
    async accept() {
      await keyboard.ada.composer.fill('')
      await page().keyboard.type('@bo')
      await shown(page().getByRole('option', { name: /bob/ }))
      await press('Tab')
      await becomes(written, '@bob ')
      await keyboard.ada.composer.fill('')
    },
  }

  // The keys of calls need a call (calls.slow.test.ts), those of messages are in message-shortcuts.test.ts.
  for (const place of ['anywhere', 'composer'] as const)
    for (const { id } of SHORTCUTS[place]) it(`${place}: ${id}`, () => checks[id]!())

  it('cause no page errors', () => {
    expect(keyboard.ada.complaints).to.deep.equal([])
  })
})
