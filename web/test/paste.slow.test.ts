import { expect } from 'chai'
import sharp from 'sharp'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { shown } from '#shared/test-kit/visible.ts'

/** Clipboards as programs fill them: text, HTML and picture. */
describe('pasting', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let picture: number[]

  before(async () => {
    stack = await startFullStack()
    ada = await stack.signedIn('ada')
    const image = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    picture = [...(await image.png().toBuffer())]
  })
  after(() => stack?.close())

  interface Clipboard {
    text?: string
    html?: string
    picture?: boolean
  }

  async function paste({ text = '', html = '', picture: hasPicture = false }: Clipboard) {
    await ada.composer.fill('')
    await ada.composer.focus()
    await ada.page.evaluate(
      ({ text, html, bytes }) => {
        const data = new DataTransfer()
        if (text) data.setData('text/plain', text)
        if (html) data.setData('text/html', html)
        if (bytes) data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }))
        const field = document.querySelector<HTMLTextAreaElement>('[data-region=composer] textarea')!
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        // The browser inserts the plain text of a paste that nobody handles.
        if (field.dispatchEvent(event)) document.execCommand('insertText', false, text)
      },
      { text, html, bytes: hasPicture ? picture : undefined },
    )
  }
  const becomes = (value: string) =>
    eventually(async () => expect(await ada.composer.inputValue()).to.equal(value))
  const attached = () => ada.page.getByRole('button', { name: 'Remove image.png' })

  const CELLS =
    '<html><body><!--StartFragment--><table><tr><td>Room</td><td>Seats</td></tr><tr><td>Oslo | east</td><td>12</td></tr>' +
    '<tr><td>Rome</td><td>8</td></tr></table><!--EndFragment--></body></html>'

  it('cells of a spreadsheet makes a table, not their picture', async () => {
    await paste({ text: 'Room\tSeats\nOslo\t12', html: CELLS, picture: true })
    await becomes('| Room | Seats |\n| - | -: |\n| Oslo \\| east | 12 |\n| Rome | 8 |')
    expect(await attached().count()).to.equal(0)
    await ada.page.keyboard.press('Enter')
    const table = ada.page.getByRole('article').last().locator('table')
    await shown(table.getByRole('cell', { name: 'Oslo | east' }))
    expect(await table.locator('th').allTextContents()).to.deep.equal(['Room', 'Seats'])
  })

  it('a picture alone, or with nothing but its own tag, attaches it', async () => {
    for (const more of [
      {},
      { text: 'https://a.example/x.png', html: '<meta charset="utf-8"><img src="https://a.example/x.png">' },
    ]) {
      await paste({ picture: true, ...more })
      await shown(attached())
      await attached().click()
    }
  })

  it('text of a word processor keeps links, bold and lists', async () => {
    await paste({
      text: 'Read the whole plan',
      html:
        '<body><p class=MsoNormal>Read the <b>whole</b> <a href="https://plan.example/x_(1)">plan</a> &amp; <i>more</i>:</p>' +
        `<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>rooms</p>` +
        `<p class=MsoListParagraphCxSpLast style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp;</span></span><![endif]>travel</p></body>`,
    })
    await becomes('Read the *whole* [plan](https://plan.example/x_%281%29) & _more_:\n\n- rooms\n  2. travel')
  })

  it('text of Google Docs keeps what is bold there, and no more', async () => {
    await paste({
      text: 'Agenda',
      html:
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><h2><span style="font-weight:400">Agenda</span></h2>' +
        '<p><span style="font-weight:700">Monday</span><span style="font-weight:400"> at 10_00 * 2</span></p>' +
        '<ol start="3"><li><p>three</p></li><ul><li><p>inner</p></li></ul><li><p>four</p></li></ol></b>',
    })
    await becomes('*Agenda*\n\n*Monday* at 10_00 * 2\n\n3. three\n  - inner\n4. four')
  })

  it('text of another chat keeps quotes, code and struck words', async () => {
    await paste({
      text: 'so',
      html: '<blockquote>we <s>postpone</s> ship</blockquote><pre>npm ci\nnpm test\n</pre>run <code>make</code> *now*',
    })
    await becomes('> we ~postpone~ ship\n\n```\nnpm ci\nnpm test\n```\n\nrun `make` \\*now\\*')
  })

  it('text without meaning in its HTML, as editors of code give it, stays plain', async () => {
    const text = 'let a_b = 1 * 2'
    await paste({
      text,
      html: `<div style="font-family: monospace"><span style="color:#569cd6">let</span> a_b = 1 * 2</div>`,
    })
    await becomes(text)
  })

  it('is taken back by Ctrl+Z, and stays plain with Ctrl+Shift+V and in a fence', async () => {
    await paste({ text: 'whole', html: 'the <b>whole</b>' })
    await becomes('the *whole*')
    await ada.page.keyboard.press('Control+z')
    await becomes('')
  })
})
