import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { SHORTCUTS, type ShortcutId } from '../src/common/shortcuts.ts'
import { Keyboard } from './shortcuts.fixture.ts'

describe('the keyboard shortcuts of messages', function () {
  this.timeout(120_000)
  const keyboard = new Keyboard()
  const { article, becomes, page, press, regionNow, stand, textNow } = keyboard

  before(async () => {
    await keyboard.start()
    for (const text of ['sent by Enter', 'sent from a fence']) await keyboard.ada.say(text)
  })
  after(() => keyboard.stack?.close())

  const checks: Partial<Record<ShortcutId, () => Promise<void>>> = {
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
    async thread() {
      await stand('note 39')
      await press('t')
      await shown(page().locator('.thread-panel'))
      await press('Escape')
      await gone(page().locator('.thread-panel'))
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
    async forward() {
      await stand('note 39')
      await press('Shift+f')
      await shown(page().getByRole('dialog', { name: 'Forward this message' }))
      await press('Escape')
      await gone(page().getByRole('dialog', { name: 'Forward this message' }))
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
      await keyboard.bob.send('general', 'after the mark')
      await shown(keyboard.ada.sidebarRow('general').getByText(/^[1-9]/))
      await press('Shift+Escape')
      await gone(keyboard.ada.sidebarRow('general').locator('.unread-count'))
    },
    async save() {
      await stand('note 39')
      await press('s')
      await shown(page().getByRole('navigation').getByRole('button', { name: 'Later' }))
      await stand('note 39')
      await press('s')
      await gone(page().getByRole('navigation').getByRole('button', { name: 'Later' }))
    },
    async pin() {
      await stand('note 39')
      await press('p')
      await shown(article('note 39').getByText('Pinned by ada'))
      await stand('note 39')
      await press('p')
      await gone(article('note 39').getByText('Pinned by ada'))
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
      await press('Shift+F10')
      await shown(page().getByRole('menuitem', { name: 'Profile of bob' }))
      await press('Escape')
      await gone(page().getByRole('menu'))
    },
  }

  for (const { id } of SHORTCUTS.messages) it(id, () => checks[id]!())

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
    expect(keyboard.ada.complaints).to.deep.equal([])
  })
})
