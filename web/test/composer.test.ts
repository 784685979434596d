import { expect } from 'chai'
import sharp from 'sharp'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { settingsOf } from './settings.fixture.ts'

describe('writing messages', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack()
    await stack.person('an-account-with-a-very-long-name')
    for (let at = 0; at < 12; at++) await stack.person(`colleague${at}`)
    ada = await stack.signedIn('ada')
    await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  after(() => stack?.close())

  const written = () => ada.composer.inputValue()
  const becomes = (read: () => Promise<unknown>, value: unknown) =>
    eventually(async () => expect(await read()).to.deep.equal(value))
  const type = (text: string) => ada.page.keyboard.type(text)
  const press = (key: string) => ada.page.keyboard.press(key)
  const paste = async (text: string) => {
    await ada.page.evaluate(it => navigator.clipboard.writeText(it), text)
    await press('Control+v')
  }
  const setting = (change: object) =>
    ada.page.evaluate(it => localStorage.setItem('bothy preferences ada', it), JSON.stringify(change))
  const reopen = async (hash = '#/c/general') => {
    await ada.page.goto(`/${hash}`)
    await ada.page.reload()
    await ada.composer.waitFor()
    await ada.composer.focus()
  }

  it('Enter inside an open code fence makes a new line, and sends after the closing one', async () => {
    await ada.composer.focus()
    await type('```yaml')
    await press('Enter')
    await type('port: 3900')
    await press('Enter')
    await paste('a: 1\n```\nb: 2')
    await press('Enter')
    await type('```')
    await becomes(written, '```yaml\nport: 3900\na: 1\n    ```\nb: 2\n```')
    await press('Enter')
    await shown(ada.row('port: 3900').locator('.code-fence', { hasText: 'b: 2' }))
    await becomes(written, '')
  })

  it('an empty code fence is not sent', async () => {
    await ada.composer.fill('```\n\n```')
    await press('Enter')
    await eventually(async () => expect(await written()).to.equal('```\n\n```'))
    expect(await ada.button('Send').getAttribute('aria-disabled')).to.equal('true')
    await ada.composer.fill('')
  })

  it('Shift+Enter continues a list, and ends it in an empty item', async () => {
    await ada.composer.focus()
    await type('1. one')
    await press('Shift+Enter')
    await type('two')
    await press('Shift+Enter')
    await becomes(written, '1. one\n2. two\n3. ')
    await press('Shift+Enter')
    await becomes(written, '1. one\n2. two\n')
    await press('Control+z')
    await becomes(written, '1. one\n2. two\n3. ')
    await ada.composer.fill('')
  })

  it('an address pasted over a selection makes a link', async () => {
    await ada.composer.fill('the plan')
    await press('Control+a')
    await paste('https://example.org/plan')
    await becomes(written, '[the plan](https://example.org/plan)')
    await ada.composer.fill('')
  })

  it('the formatting bar stays open, names its marks, and is in the box of an edit, too', async () => {
    await ada.button('Formatting').click()
    const bar = ada.page.getByRole('toolbar', { name: 'Formatting' })
    await shown(bar)
    expect(await bar.getByRole('button', { name: 'Bold' }).getAttribute('title')).to.equal('Bold: *a*')
    await ada.composer.fill('one\ntwo')
    await press('Control+a')
    await bar.getByRole('button', { name: 'List', exact: true }).click()
    await becomes(written, '- one\n- two')
    await expectAccessible(ada.page)
    await press('Enter')
    await shown(ada.row('two').locator('ul'))
    await reopen()
    await shown(bar)
    await eventually(async () => {
      await ada.composer.press('ArrowUp')
      await shown(ada.page.getByRole('textbox', { name: 'Edit message' }))
    })
    await press('Control+a')
    await ada.page.locator('.edit-box').getByRole('button', { name: 'Quote' }).click()
    await becomes(() => ada.page.locator('.edit-box textarea').inputValue(), '> - one\n> - two')
    await ada.page.locator('.edit-box textarea').press('Escape')
    await ada.button('Formatting').click()
    await gone(bar)
  })

  it('with Ctrl+Enter chosen in the settings, Enter makes a new line', async () => {
    const settings = settingsOf(ada.page)
    await settings.open('Keyboard')
    await settings.pick('Sending', 'Ctrl+Enter')
    await settings.close()
    await ada.composer.focus()
    await type('first')
    await press('Enter')
    await type('second')
    await becomes(written, 'first\nsecond')
    await press('Control+Enter')
    await shown(ada.row('second'))
    await press('Control+/')
    await shown(ada.page.locator('.keyboard-sheet-row', { hasText: 'New line' }).getByText('Shift'))
    await press('Escape')
    await setting({})
    await reopen()
  })

  it('a picture that is pasted or dropped is attached', async () => {
    const { page } = ada
    const tray = page.getByRole('list', { name: 'Attached files' })
    const bytes = [
      ...(await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()),
    ]
    const give = (kind: 'paste' | 'drop', name: string) =>
      page.evaluate(
        ({ kind, name, bytes }) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
          const field = document.querySelector('[data-region=composer] textarea')!
          const more = { bubbles: true, cancelable: true }
          if (kind === 'paste')
            field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...more }))
          else
            for (const type of ['dragenter', 'dragover', 'drop'])
              document
                .querySelector('#messages')!
                .dispatchEvent(new DragEvent(type, { dataTransfer: data, ...more }))
        },
        { kind, name, bytes },
      )
    await ada.composer.focus()
    await give('paste', 'pasted.png')
    await shown(page.getByRole('button', { name: 'Remove pasted.png' }))
    await give('drop', 'dropped.png')
    await shown(page.getByRole('button', { name: 'Remove dropped.png' }))
    expect(await tray.count()).to.be.at.most(1)
    await press('Enter')
    await eventually(async () =>
      expect(await page.locator('article .image-attachment[data-message-id]').count()).to.be.at.least(2),
    )
  })

  it('@everyone to more than ten people asks: Esc returns to the text, and the message may be sent without notifying', async () => {
    await type('@everyone lunch is here ')
    await press('Enter')
    const question = ada.page.getByRole('alertdialog')
    await shown(question.getByText('@everyone notifies 13 people'))
    await expectAccessible(ada.page)
    await press('Escape')
    await gone(question)
    await focusIsOn(ada.page, '#composer')
    expect(await written()).to.equal('@everyone lunch is here ')
    await press('Enter')
    await focusIsOn(ada.page, '.notify-many .button:not(.button-primary)')
    await press('Tab')
    await focusIsOn(ada.page, '.notify-many .button-primary')
    await press('Enter')
    await shown(ada.row('lunch is here').locator('.mention'))
    await becomes(written, '')
    await type('@everyone there is cake ')
    await press('Enter')
    await focusIsOn(ada.page, '.notify-many .button:not(.button-primary)')
    await press('Enter')
    await shown(ada.row('there is cake'))
    expect(await ada.row('there is cake').locator('.mention').count()).to.equal(0)
  })

  it('pictures in the tray survive a reload, agree between tabs and count as a draft', async () => {
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const tray = ada.page.getByRole('list', { name: 'Attached files' }).locator('img')
    await ada.page
      .locator('[data-region=composer] input[type=file]')
      .setInputFiles({ name: 'weir.png', mimeType: 'image/png', buffer: picture })
    await shown(tray)
    await eventually(async () => {
      await reopen()
      expect(await tray.locator('xpath=..').textContent()).to.contain('weir.png')
    })
    await ada.page.goto('/#/d/ada,colleague1')
    await shown(ada.sidebarRow('general').getByRole('img', { name: 'Draft' }))
    const other = await ada.page.context().newPage()
    await other.goto('/#/c/general')
    await shown(other.getByRole('list', { name: 'Attached files' }).locator('img'))
    await ada.page.goto('/#/c/general')
    await ada.button('Send').click()
    await shown(ada.page.locator('article .image-attachment-open img'))
    await gone(other.getByRole('list', { name: 'Attached files' }))
    await other.close()
    await reopen()
    expect(await tray.count()).to.equal(0)
  })

  it('Enter that confirms a word of an input method does not send; the next one does', async () => {
    await reopen()
    await ada.composer.fill('')
    const chromium = await ada.page.context().newCDPSession(ada.page)
    await chromium.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    await becomes(written, 'にほん')
    // The key belongs to the input method.
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await chromium.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
    await chromium.send('Input.insertText', { text: '日本' })
    await chromium.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    await becomes(written, '日本')
    expect(await ada.row('にほん').count()).to.equal(0)
    await press('Enter')
    await shown(ada.row('日本'))
    await chromium.detach()
  })

  it('a message of one to three emoji is large', async () => {
    await ada.say('🎉🎉')
    await ada.say('yes 🎉')
    const size = (text: string) =>
      ada.page
        .locator('.message-text', { hasText: text })
        .locator('p')
        .evaluate(p => Number.parseFloat(getComputedStyle(p).fontSize))
    await eventually(async () => expect(await size('🎉🎉')).to.equal(32))
    expect(await size('yes 🎉')).to.equal(15)
  })

  it('the list of people cuts long names with an ellipsis, and shows its last line whole', async () => {
    await ada.composer.focus()
    await type('@')
    const menu = ada.page.locator('.mention-menu')
    await shown(menu.getByRole('option'))
    const { heights, isCut } = await menu.evaluate(box => {
      const options = [...box.querySelectorAll<HTMLElement>('[role=option]')]
      return {
        heights: [...new Set(options.map(one => one.offsetHeight))],
        isCut: box.scrollHeight > box.clientHeight,
      }
    })
    expect(heights).to.have.length(1)
    expect(isCut).to.equal(false)
    await ada.composer.fill('')
  })

  it('causes no page errors', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
