import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { SHORTCUTS, type ShortcutId } from '../src/common/shortcuts.ts'

describe('the keyboard shortcuts of the table', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let channel: string

  before(async () => {
    stack = await startFullStack()
    const person = await stack.person('ada')
    bob = await stack.person('bob')
    ada = await stack.signedIn(person)
    channel = await ada.http.createPrivateChannel('Rev D board', ['bob'])
    const first = await bob.send('general', 'note 0.')
    for (let at = 1; at < 40; at++) await bob.send('general', `note ${at}.`)
    await bob.send('general', 'the answer', { reply_to_id: String(first) })
    await shown(ada.row('the answer'))
    await ada.composer.focus()
  })
  after(() => stack?.close())

  const page = () => ada.page
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page().keyboard.press(key)), Promise.resolve())
  const regionNow = () =>
    page().evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'])
  const lineNow = () =>
    page().evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )
  const article = (text: string) => page().locator('article', { hasText: text }).last()
  const stand = (text: string) => article(text).focus()
  const textNow = () =>
    page().evaluate(
      () => document.activeElement?.closest('article')?.querySelector('.message-text')?.textContent,
    )
  const flashes = (text: string) => shown(page().locator('article.is-flashing', { hasText: text }))
  const write = async (text: string) => {
    await ada.composer.fill(text)
    await ada.composer.press('Control+a')
  }
  const becomes = (read: () => Promise<unknown>, value: unknown) =>
    eventually(async () => expect(await read()).to.equal(value))
  const written = () => ada.composer.inputValue()

  const wraps = async (key: string, result: string) => {
    await write('x')
    await press(key)
    await becomes(written, result)
  }

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
      await ada.composer.focus()
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
      await ada.composer.focus()
    },
    async newDirect() {
      await press('Control+Shift+K')
      await shown(page().getByRole('dialog', { name: 'New message' }))
      await press('Escape')
      await gone(page().getByRole('dialog', { name: 'New message' }))
    },
    async details() {
      await ada.composer.focus()
      await press('Control+.')
      await shown(page().locator('[data-region=panel]'))
      await press('Control+.')
      await gone(page().locator('[data-region=panel]'))
    },
    async upload() {
      const chooser = page().waitForEvent('filechooser')
      await press('Control+u')
      expect((await chooser).isMultiple()).to.equal(true)
    },
    async help() {
      await stand('note 39')
      await press('?')
      await page().getByRole('textbox', { name: 'Filter' }).fill('alt unread')
      await becomes(() => page().locator('.keyboard-sheet-row').count(), 1)
      await page().getByRole('textbox', { name: 'Filter' }).fill('zzqq')
      await shown(page().getByText('No key for “zzqq”.'))
      await press('Escape')
      await gone(page().locator('.keyboard-sheet'))
      await ada.composer.focus()
    },
    async sheet() {
      await press('Control+/')
      await becomes(
        () => page().locator('.keyboard-sheet-row').count(),
        Object.values(SHORTCUTS).flat().length,
      )
      await expectAccessible(ada.page)
      await press('Escape')
      await gone(page().locator('.keyboard-sheet'))
    },
    async region() {
      await ada.composer.focus()
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
      await ada.composer.focus()
      for (const region of ['messages', 'header', 'sidebar', 'composer']) {
        await press('Shift+F6')
        await becomes(regionNow, region)
      }
    },
    async neighbour() {
      await press('Alt+ArrowDown')
      await shown(ada.heading.getByText('Rev D board'))
      await press('Alt+ArrowUp')
      await shown(ada.heading.getByText('general'))
    },
    async unread() {
      await press('Alt+Shift+ArrowDown')
      await shown(ada.heading.getByText('general'))
      await bob.send(channel, 'anyone?')
      await shown(ada.sidebarRow('Rev D board').locator('.unread-count'))
      await press('Alt+Shift+ArrowDown')
      await shown(ada.heading.getByText('Rev D board'))
      await press('Alt+ArrowUp')
      await shown(ada.heading.getByText('general'))
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
      await page().getByRole('button', { name: 'People in this channel' }).click()
      await shown(page().locator('[data-region=panel]'))
      await press('Escape')
      await gone(page().locator('[data-region=panel]'))
      await focusIsOn(page(), '#composer')
    },
    async allRead() {
      await bob.send(channel, 'read this')
      await shown(ada.sidebarRow('Rev D board').locator('.unread-count'))
      await press('Shift+Escape')
      await gone(ada.sidebarRow('Rev D board').locator('.unread-count'))
      await focusIsOn(page(), '#composer')
    },
    async rowMenu() {
      await ada.sidebarRow('Rev D board').focus()
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
      await ada.composer.fill('')
    },
    async send() {
      await page().keyboard.type('sent by Enter')
      await press('Enter')
      await shown(article('sent by Enter'))
      await becomes(written, '')
    },
    async sendAlways() {
      await ada.composer.fill('```\nsent from a fence')
      await press('Control+Enter')
      await shown(article('sent from a fence'))
      await becomes(written, '')
    },
    async newLine() {
      await page().keyboard.type('one')
      await press('Shift+Enter')
      await page().keyboard.type('two')
      await becomes(written, 'one\ntwo')
      await ada.composer.fill('')
    },
    async editLast() {
      await ada.composer.press('ArrowUp')
      await shown(page().getByRole('textbox', { name: 'Edit message' }))
      await press('Escape')
      await focusIsOn(page(), '#composer')
    },
    async replyLast() {
      await ada.composer.press('Shift+ArrowUp')
      await shown(page().locator('.composer-context', { hasText: 'sent from a fence' }))
      await press('Escape')
      await gone(page().locator('.composer-context'))
    },
    async recall() {
      await ada.composer.press('Control+ArrowUp')
      await becomes(written, '```\nsent from a fence')
      await press('Control+ArrowUp')
      await becomes(written, 'sent by Enter')
      await press('Control+ArrowDown', 'Control+ArrowDown')
      await becomes(written, '')
    },
    bold: () => wraps('Control+b', '*x*'),
    italic: () => wraps('Control+i', '_x_'),
    strike: () => wraps('Control+Shift+x', '~x~'),
    code: () => wraps('Control+Shift+e', '`x`'),
    async link() {
      await wraps('Control+k', '[x](https://)')
      await ada.composer.fill('')
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
      await ada.composer.fill('')
      await page().keyboard.type('@bo')
      await shown(page().getByRole('option', { name: /bob/ }))
      await press('Tab')
      await becomes(written, '@bob ')
      await ada.composer.fill('')
    },
    async move() {
      await stand('note 39')
      for (const [key, to] of [
        ['ArrowUp', 'note 38.'],
        ['k', 'note 37.'],
        ['j', 'note 38.'],
        ['ArrowDown', 'note 39.'],
      ] as const) {
        await press(key)
        await becomes(textNow, to)
      }
    },
    async page() {
      await stand('note 39')
      await press('PageUp')
      const after = Number(/\d+/.exec((await textNow()) ?? '')?.[0])
      expect(after).to.be.lessThan(35)
      await press('PageUp', 'PageDown')
      await becomes(regionNow, 'messages')
    },
    async ends() {
      await press('End')
      await becomes(textNow, 'sent from a fence')
      await press('Home')
      await eventually(async () => expect(await textNow()).to.contain('Welcome to bothy, ada'))
    },
    async latest() {
      await press('Escape')
      await focusIsOn(page(), '#composer')
      await gone(page().locator('.to-latest'))
    },
    async reply() {
      await stand('note 39')
      await press('r')
      await shown(page().locator('.composer-context', { hasText: 'note 39' }))
      await press('Escape')
      await gone(page().locator('.composer-context'))
    },
    async edit() {
      await stand('sent by Enter')
      await press('e')
      await shown(page().getByRole('textbox', { name: 'Edit message' }))
      await press('Escape')
    },
    async react() {
      await stand('note 39')
      await press('a')
      await shown(page().getByRole('dialog', { name: 'Pick a reaction' }))
      await press('Escape')
      await gone(page().getByRole('dialog', { name: 'Pick a reaction' }))
    },
    async quick() {
      for (const [at, key] of ['1', '2', '3'].entries()) {
        await stand('note 39')
        await press(key)
        await becomes(
          () => article('note 39').locator('.reaction-bar .reaction[aria-pressed=true]').count(),
          at + 1,
        )
      }
    },
    async copyText() {
      await stand('note 39')
      await press('c')
      await shown(page().getByText('Text copied'))
    },
    async copyLink() {
      await stand('note 39')
      await press('l')
      await shown(page().getByText('Link copied'))
    },
    async markUnread() {
      await stand('note 39')
      await press('u')
      await shown(page().locator('.new-messages-line'))
      await bob.send('general', 'after the mark')
      await shown(ada.sidebarRow('general').getByText(/^[1-9]/))
      await press('Shift+Escape')
      await gone(ada.sidebarRow('general').locator('.unread-count'))
    },
    async delete() {
      await stand('sent by Enter')
      await press('Delete')
      await shown(page().getByText('Delete this message?'))
      await press('Escape')
      await gone(page().getByText('Delete this message?'))
    },
    async menu() {
      await stand('note 39')
      await press('Enter')
      await shown(page().getByRole('menuitem', { name: 'Profile of bob' }))
      await press('Escape')
      await gone(page().getByRole('menu'))
      await becomes(textNow, 'note 39.')
    },
  }

  // The keys of calls need a call: calls.test.ts presses them.
  for (const place of ['anywhere', 'composer', 'messages'] as const)
    for (const { id } of SHORTCUTS[place]) it(`${place}: ${id}`, () => checks[id]!())

  it('single letters can be turned off', async () => {
    await page().evaluate(() => localStorage.setItem('bothy preferences ada', '{"singleLetterKeys":false}'))
    await page().reload()
    await shown(article('note 39'))
    await stand('note 39')
    await press('r', '/', 'j')
    await becomes(textNow, 'note 39.')
    expect(await page().locator('.composer-context, [data-region=panel]').count()).to.equal(0)
    await press('ArrowUp')
    await becomes(textNow, 'note 38.')
  })

  it('cause no page errors', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
