import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { shown } from '#shared/test-kit/visible.ts'

/** ada at the keyboard, in a channel with forty notes of bob. */
export class Keyboard {
  stack!: FullStack
  ada!: SignedIn
  bob!: Person
  /** A private channel of both. */
  channel!: string

  async start() {
    this.stack = await startFullStack()
    const person = await this.stack.person('ada')
    this.bob = await this.stack.person('bob')
    this.ada = await this.stack.signedIn(person)
    this.channel = await this.ada.http.createPrivateChannel('Rev D board', ['bob'])
    const first = await this.bob.send('general', 'note 0.')
    for (let at = 1; at < 40; at++) await this.bob.send('general', `note ${at}.`)
    await this.bob.send('general', 'the answer', { reply_to_id: String(first) })
    await shown(this.ada.row('the answer'))
    await this.ada.composer.focus()
  }

  page = () => this.ada.page
  press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => this.page().keyboard.press(key)), Promise.resolve())
  regionNow = () =>
    this.page().evaluate(
      () => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'],
    )
  lineNow = () =>
    this.page().evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )
  article = (text: string) => this.page().locator('article', { hasText: text }).last()
  stand = (text: string) => this.article(text).focus()
  /** The text of the message with the focus. */
  textNow = () =>
    this.page().evaluate(
      () => document.activeElement?.closest('article')?.querySelector('.message-text')?.textContent,
    )
  flashes = (text: string) => shown(this.page().locator('article.is-flashing', { hasText: text }))
  becomes = (read: () => Promise<unknown>, value: unknown) =>
    eventually(async () => expect(await read()).to.equal(value))
  written = () => this.ada.composer.inputValue()
  /** Writes and selects a text. */
  write = async (text: string) => {
    await this.ada.composer.fill(text)
    await this.ada.composer.press('Control+a')
  }
  wraps = async (key: string, result: string) => {
    await this.write('x')
    await this.press(key)
    await this.becomes(this.written, result)
  }
}
