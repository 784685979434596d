import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, showHomeOnPhone, shown } from '#shared/test-kit/visible.ts'

describe('the client for people who see little or use a phone', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    const channel = await ada.http.createPrivateChannel('Rev C board', ['bob'])
    await ada.http.send(channel, 'antenna first')
    await ada.http.send(channel, '@bob worth a call?')
    await shown(bob.sidebarRow('Rev C board').locator('.unread-badge.is-mention'))
  })
  after(() => stack?.close())

  it('marks stay visible in forced-colours mode', async () => {
    const marks = [
      '.sidebar-row.is-active',
      '.unread-badge.is-mention',
      '.sidebar-row .presence-dot',
      '.sidebar-jump',
      '.button',
      '.composer',
    ]
    await bob.page.emulateMedia({ forcedColors: 'active' })
    expect(await bob.page.evaluate(unmarked, marks)).to.deep.equal([])
    await bob.page.emulateMedia({ forcedColors: 'none' })
  })

  it('the frame of the sheet is whole in forced-colours mode, above the header and the composer', async () => {
    const { page } = bob
    await page.emulateMedia({ forcedColors: 'active' })
    const { border, above } = await page.evaluate(frameOf)
    expect(border).to.equal('solid')
    expect(above).to.equal(true)
    await page.emulateMedia({ forcedColors: 'none' })
  })

  it('lines and small text have more contrast for people who prefer it', async () => {
    const { page } = bob
    await bob.sidebarRow('Rev C board').click()
    await shown(page.locator('article time'))
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, contrast: 'no-preference' })
      const usual = await page.evaluate(contrasts)
      await page.emulateMedia({ contrast: 'more' })
      const more = await page.evaluate(contrasts)
      expect(usual.line, `${colorScheme}, a line`).to.be.lessThan(2)
      expect(more.line, `${colorScheme}, a line`).to.be.greaterThan(3.5)
      expect(more.word, `${colorScheme}, a time`).to.be.greaterThan(Math.max(7, usual.word))
    }
    await page.emulateMedia({ contrast: 'no-preference' })
  })

  it('targets are at least 24 pixels high and wide, without a shift of the name', async () => {
    const { page } = bob
    await shown(page.locator('.message-row-head button.person-button'))
    expect(await page.evaluate(smallTargets)).to.deep.equal([])
    expect(
      await page
        .locator('.message-row-head')
        .first()
        .evaluate(head => head.clientHeight),
    ).to.equal(20)
  })

  it('text of twice the size is not clipped', async () => {
    const { page } = bob
    const resize = (size: string) =>
      page.evaluate(fontSize => void Object.assign(document.documentElement.style, { fontSize }), size)
    await resize('200%')
    expect(await page.evaluate(cutWords)).to.deep.equal([])
    await page.keyboard.press('Control+K')
    await shown(page.locator('.switcher-list [role=option]'))
    expect(await page.evaluate(cutWords)).to.deep.equal([])
    await page.keyboard.press('Escape')
    await resize('')
  })

  it('search results stay readable in a window as low as at 400 % zoom', async () => {
    const { page } = bob
    await bob.button('Search messages').click()
    await page.locator('[data-region=panel]').getByRole('combobox').fill('antenna')
    await shown(page.locator('.result'))
    // Less than the 256 px that are left there, since this message has a single line.
    await page.setViewportSize({ width: 320, height: 220 })
    await page.locator('.result').first().scrollIntoViewIfNeeded()
    expect(await page.locator('.result').first().evaluate(isWhole)).to.equal(true)
    await page.setViewportSize({ width: 1280, height: 800 })
    await bob.button('Close search').click()
  })

  it('nothing lies on the messages in a window as low as at 400 % zoom', async () => {
    const { page } = bob
    for (let at = 0; at < 30; at++) await ada.http.send('design', `gauge ${at}`)
    await bob.sidebarRow('design').click()
    await shown(bob.row('gauge 29'))
    await page.setViewportSize({ width: 320, height: 225 })
    await page.goto('/#/c/design')
    await page.locator('#messages').hover()
    await page.mouse.wheel(0, -600)
    const latest = page.locator('.to-latest')
    await shown(latest)
    expect(await page.locator('.floating-date').isVisible()).to.equal(false)
    const [button, composer] = [(await latest.boundingBox())!, (await bob.composer.boundingBox())!]
    expect(button.y).to.be.at.least(composer.y + composer.height)
    expect(button.y + button.height).to.be.at.most(225)
    expect(button.height).to.be.at.least(24)
    await latest.click()
    await gone(latest)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('on a phone the list comes first, with the same sections', async () => {
    await showHomeOnPhone(bob.page)
    await expectAccessible(bob.page)
    await bob.button('Jump to…').click()
    await expectAccessible(bob.page)
    await bob.page.getByRole('combobox', { name: 'Jump to' }).fill('rev')
    await bob.page.getByRole('option').first().click()
    await shown(bob.heading.getByText('Rev C board'))
    await focusIsOn(bob.page, '[data-region=header] h1')
    await bob.page.getByRole('button', { name: 'Details of this channel' }).click()
    await expectAccessible(bob.page)
    await bob.panel.getByRole('tab', { name: /^People/ }).click()
    await expectAccessible(bob.page)
    await bob.button('Add someone').click()
    await expectAccessible(bob.page)
    const cancel = bob.dialog.getByRole('button', { name: 'Cancel' })
    const { y, height } = (await cancel.boundingBox())!
    expect(y + height, 'where the thumb is').to.be.within(800, 844)
    await bob.page.setViewportSize({ width: 320, height: 256 })
    await eventually(async () =>
      expect(await bob.page.locator('.dialog-content').evaluate(sideways)).to.equal(0),
    )
    await cancel.scrollIntoViewIfNeeded()
    await bob.page.setViewportSize({ width: 390, height: 844 })
    await cancel.click()
    await bob.panel.locator('.option', { hasText: 'ada' }).click()
    await expectAccessible(bob.page)
    await bob.page.keyboard.press('Escape')
    await bob.button('Close details').click()
    await ada.http.send('general', 'antenna at noon')
    await bob.page.goto('/#/c/general')
    await bob.row('antenna at noon').press('Enter')
    await shown(bob.page.getByRole('menu', { name: 'Message actions' }))
    await shown(bob.dialog.getByText('antenna at noon'))
    await expectAccessible(bob.page)
    await bob.page.keyboard.press('Escape')
    await bob.page.keyboard.press('Control+/')
    await shown(bob.page.locator('.keyboard-sheet-row'))
    expect(await bob.page.locator('.keyboard-sheet-body').evaluate(sideways)).to.equal(0)
    await bob.page.locator('.keyboard-sheet-row').last().scrollIntoViewIfNeeded()
    await bob.page.keyboard.press('Escape')
  })

  it('cause no page errors', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })

  it('new messages of the open channel are announced, or their number when there are too many', async () => {
    await ada.sidebarRow('general').click()
    await shown(ada.heading.getByText('general'))
    const polite = ada.page.locator('.visually-hidden[aria-live=polite]')
    await bob.http.send('general', 'a _first_ one')
    await polite.getByText('bob: a first one').waitFor()
    for (const text of ['2', '3', '4', '5', '6']) await bob.http.send('general', text)
    await polite.getByText(/^\d new messages$/).waitFor()
    await bob.http.sendFiles('general', [{ name: 'minutes.pdf', bytes: '%PDF-1.4' }])
    await polite.getByText('bob: minutes.pdf').waitFor()

    await ada.page.evaluate(() => {
      const key = 'bothy preferences ada'
      localStorage.setItem(key, '{"announcements":"mentions"}')
      dispatchEvent(new StorageEvent('storage', { key }))
    })
    await bob.http.send('general', 'nobody in particular')
    await bob.http.send('general', '@ada in particular')
    await polite.getByText('bob: @ada in particular').waitFor()
    expect(await polite.getByText('nobody in particular').count()).to.equal(0)
  })
})

/** Runs in the page: elements set apart neither by a background nor by an outline. */
function unmarked(selectors: string[]) {
  const ground = getComputedStyle(document.body).backgroundColor
  return selectors.filter(selector =>
    [...document.querySelectorAll(selector)].some(one => {
      const { backgroundColor, outlineStyle } = getComputedStyle(one)
      return outlineStyle === 'none' && [ground, 'rgba(0, 0, 0, 0)'].includes(backgroundColor)
    }),
  )
}

/** Runs in the page: the line of the frame, and whether it is drawn above all parts of the sheet. */
function frameOf() {
  const sheet = document.querySelector('.app-sheet')!
  const frame = getComputedStyle(sheet, '::after')
  const layers = [...sheet.querySelectorAll('.channel-header, .composer-area, .message-list-frame')]
  const highest = Math.max(...layers.map(part => Number(getComputedStyle(part).zIndex) || 0))
  return { border: frame.borderTopStyle, above: Number(frame.zIndex) > highest }
}

/** Runs in the page: contrast of the times and the header line with the background (WCAG's ratio). */
function contrasts() {
  const paper = new OffscreenCanvas(1, 1).getContext('2d')!
  const brightness = (color: string) => {
    paper.fillStyle = color
    paper.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = [...paper.getImageData(0, 0, 1, 1).data].map(value =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  }
  const style = (selector: string) => getComputedStyle(document.querySelector(selector)!)
  const sheet = brightness(style('.app-sheet').backgroundColor)
  const ratio = (color: string) => Math.max(sheet, brightness(color)) / Math.min(sheet, brightness(color))
  return { word: ratio(style('article time').color), line: ratio(style('.channel-header').borderBottomColor) }
}

/** Runs in the page: controls below the target size (WCAG 2.5.8), except links in sentences. */
function smallTargets() {
  return [...document.querySelectorAll<HTMLElement>('button, a[href], [role=option]')]
    .filter(one => one.checkVisibility() && !one.closest('.message-text, .skip-link'))
    .filter(one => one.offsetWidth < 24 || one.offsetHeight < 24)
    .map(one => one.outerHTML.slice(0, 120))
}

/** Runs in the page: texts higher than the element that clips them. */
function cutWords() {
  return [
    ...document.querySelectorAll<HTMLElement>(
      '.sidebar-row-label, .channel-header-name, .wordmark *, .sidebar-me-text *, .option *',
    ),
  ]
    .filter(
      one =>
        one.checkVisibility() &&
        !one.closest('.visually-hidden') &&
        getComputedStyle(one).overflowY !== 'visible',
    )
    .filter(one => one.scrollHeight > one.clientHeight + 1)
    .map(one => `${one.className}: ${one.textContent}`)
}

/** Runs in the page: horizontal overflow in px. */
function sideways(element: Element) {
  return element.scrollWidth - element.clientWidth
}

/** Runs in the page: true if the first and the last line are visible. */
function isWhole(element: Element) {
  const { left, top, bottom } = element.getBoundingClientRect()
  return [top + 4, bottom - 4].every(y => element.contains(document.elementFromPoint(left + 60, y)))
}
