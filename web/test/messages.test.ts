import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, showHomeOnPhone, shown } from '#shared/test-kit/visible.ts'
import { settingsOf } from './settings.fixture.ts'

const LINES = 60
const long = (name: string, more = '') =>
  Array.from({ length: LINES }, (_, i) => `${name}, line ${i + 1}${i === LINES - 1 ? more : ''}.`).join('\n')

const boxOf = async (locator: Locator) => (await locator.boundingBox())!
/** Waits until two frames show the same scroll position. */
const settled = (page: Page) =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

describe('reading messages', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design', 'tools'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    page = ada.page
  })
  after(() => stack?.close())

  const open = async (channel: string) => {
    await ada.sidebarRow(channel).click()
    await shown(ada.heading.getByText(channel))
  }

  it('a text above 25 lines is folded, and the reader keeps the place when it unfolds and folds', async () => {
    await bob.http.send('general', Array.from({ length: 22 }, (_, i) => `short ${i}`).join('\n'))
    await bob.http.send('general', long('the story'))
    const row = ada.row('the story, line 1')
    const button = (name: string) => row.getByRole('button', { name, exact: true })
    await shown(button('Show more'))
    expect(await ada.row('short 0').getByRole('button', { name: 'Show more' }).count()).to.equal(0)
    const text = row.locator('.message-text')
    expect((await boxOf(text)).height).to.be.closeTo(20 * 22, 30)
    await expectAccessible(page)

    // At the end of the list, where a longer row would move up.
    const before = (await boxOf(text)).y
    await button('Show more').click()
    await shown(button('Show less'))
    await settled(page)
    expect((await boxOf(text)).height).to.be.at.least(LINES * 22)
    expect((await boxOf(text)).y).to.be.closeTo(before, 1)

    await button('Show less').scrollIntoViewIfNeeded()
    await settled(page)
    const pressedAt = (await boxOf(button('Show less'))).y
    await button('Show less').press('Enter')
    await shown(button('Show more'))
    await settled(page)
    expect((await boxOf(button('Show more'))).y).to.be.closeTo(pressedAt, 1)
    expect(await button('Show more').evaluate(element => element.matches(':focus'))).to.equal(true)
  })

  it('a link in the hidden part of a text unfolds it when it gets the focus', async () => {
    await bob.http.send('general', long('the map', ' https://example.com/map'))
    const row = ada.row('the map, line 1')
    await shown(row.getByRole('button', { name: 'Show more' }))
    await row.locator('.message-text a').focus()
    await shown(row.getByRole('button', { name: 'Show less' }))
  })

  it('code has its language and a button that copies it, uses the column, and fades where it is cut', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('tools')
    const code = `port: 3900\nwords: ${'long '.repeat(60)}end`
    await bob.http.send('tools', `\`\`\`yaml\n${code}\n\`\`\``)
    await bob.http.send('tools', '```\nplain\n```')
    const block = ada.row('port: 3900').locator('.code-block')
    await shown(block)
    expect(await block.locator('.code-block-head').textContent()).to.equal('yaml')
    expect(await ada.row('plain').locator('.code-block-head').textContent()).to.equal('Code')
    await block.getByRole('button', { name: 'Copy the code' }).press('Enter')
    await eventually(async () => expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(code))
    const body = await boxOf(ada.row('port: 3900').locator('.message-row-body'))
    expect((await boxOf(block)).width).to.equal(body.width)
    const fade = () =>
      block.locator('pre').evaluate(pre => getComputedStyle(pre as unknown as Element).maskImage)
    await eventually(async () => expect(await fade()).to.match(/gradient/))
    await block.locator('pre').evaluate(pre => void pre.scrollTo(10_000, 0))
    await eventually(async () => expect(await fade()).to.equal('none'))
    await block.locator('pre').focus()
    await expectAccessible(page)
  })

  it('a copied conversation has names, times and texts, and nothing else', async () => {
    await open('design')
    await bob.http.send('design', 'the _first_ one\n- a gate\n- a sluice')
    await bob.http.send('design', 'of the same hour')
    await ada.http.send('design', '```ts\nlet level = 4\n```')
    await bob.http.send('design', 'not copied')
    await shown(ada.row('not copied'))
    await ada.row('of the same hour').hover()
    await page.evaluate(select, ['the first one', 'let level = 4'])
    await page.keyboard.press('Control+C')
    const time = await ada.row('let level').locator('time').textContent()
    const [first] = await ada.row('the first one').locator('time').allTextContents()
    await eventually(async () =>
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
        `bob, ${first}\nthe first one\n- a gate\n- a sluice\nof the same hour\n\nada, ${time}\nlet level = 4`,
      ),
    )
    // Within a text the browser copies what is selected.
    await page.evaluate(select, ['of the same hour', 'of the same hour'])
    await page.keyboard.press('Control+C')
    await eventually(async () =>
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal('of the same hour'),
    )
    await page.evaluate('getSelection().removeAllRanges()')
  })

  it('compact rows have the name on the line of the text, and full width uses the window', async () => {
    const settings = settingsOf(page)
    await open('design')
    for (let at = 0; at < 5; at++) {
      await bob.http.send('design', `gauge ${at}`)
      await ada.http.send('design', `level ${at}`)
    }
    await shown(ada.row('level 4'))
    const height = async () => (await boxOf(ada.row('level 4'))).y - (await boxOf(ada.row('gauge 0'))).y
    const comfortable = await height()
    await settings.open('Appearance')
    await settings.pick('Density', 'Compact')
    await settings.pick('Width', 'Full')
    await settings.close()
    await settled(page)
    expect(await height()).to.be.below(comfortable * 0.6)
    const head = await boxOf(ada.row('gauge 3').locator('.message-row-head'))
    expect((await boxOf(ada.row('gauge 3').locator('.message-text'))).y).to.be.closeTo(head.y, 2)
    await expectAccessible(page)

    await page.setViewportSize({ width: 1920, height: 1000 })
    await page.reload()
    await shown(ada.row('gauge 3'))
    const list = await boxOf(page.locator('#messages'))
    expect((await boxOf(ada.row('gauge 3'))).width).to.be.above(list.width - 60)
    await settings.open('Appearance')
    await settings.pick('Density', 'Comfortable')
    await settings.pick('Width', 'Column')
    await settings.close()
    expect((await boxOf(ada.row('gauge 3'))).width).to.be.below(900)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('the box of an edit names Esc once, and no toolbar lies on it', async () => {
    await open('design')
    await ada.say('to be edited')
    await shown(page.locator('article:not([data-pending])', { hasText: 'to be edited' }))
    await ada.composer.press('ArrowUp')
    await focusIsOn(page, '.edit-box textarea')
    await page.locator('.edit-box').hover()
    await settled(page)
    expect(await page.locator('.message-actions').count()).to.equal(0)
    expect(await page.locator('.edit-box').getByText('Cancel').count()).to.equal(1)
    expect(await page.locator('.edit-box kbd').allTextContents()).to.deep.equal(['Esc'])
    await page.keyboard.press('Escape')
    await gone(page.locator('.edit-box'))
  })

  it('the text beyond the limit of a message is marked, and a tall text keeps off the frame', async () => {
    await open('design')
    await ada.composer.fill(`${'level '.repeat(1_666)}1234 and this is too much`)
    await shown(page.getByRole('alert').getByText('21 characters too many. A message has room for 10,000.'))
    const mark = page.locator('.too-long-mark mark')
    expect(await mark.textContent()).to.equal(' and this is too much')
    await ada.composer.press('Control+End')
    await settled(page)
    const field = await boxOf(ada.composer)
    const marked = await boxOf(mark)
    expect(marked.y + marked.height).to.be.within(field.y, field.y + field.height)
    const distance = await ada.composer.evaluate(area => area.clientTop)
    expect(distance, 'between the frame and the first line').to.equal(11)
    await ada.composer.fill('short')
    await gone(mark)
    await ada.composer.fill('')
  })

  it('the tab bar of a phone stays below Activity and Search', async () => {
    await showHomeOnPhone(bob.page)
    const bar = bob.page.locator('.tab-bar')
    for (const name of ['Activity', 'Search']) {
      await bar.getByRole('button', { name }).click()
      await shown(bob.panel)
      expect(await bar.locator('[aria-current]').textContent()).to.equal(name)
      const panel = await boxOf(bob.panel)
      expect(panel.y + panel.height).to.be.closeTo((await boxOf(bar)).y, 1)
      await expectAccessible(bob.page)
    }
    await bar.getByRole('link', { name: 'Home' }).click()
    await gone(bob.panel)
    await shown(bob.sidebarRow('general'))
    expect(bob.page.url()).to.match(/#\/$/)
  })

  it('cause no error in the page', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})

/** Runs in the page: selects from the start of a text to the end of another. */
function select([from, to]: string[]) {
  const texts = [...document.querySelectorAll('article .message-text')]
  const [first, last] = [from, to].map(words => texts.find(text => text.textContent?.includes(words!)))
  const lines = [...last!.querySelectorAll('p, pre')]
  const selection = getSelection()!
  const end = lines.at(-1) ?? last!
  selection.setBaseAndExtent(first!.firstChild!, 0, end, end.childNodes.length)
}
