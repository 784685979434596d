import { expect } from 'chai'
import sharp from 'sharp'
import { animatedPng } from '#shared/test-kit/animated-png.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

/** Habits from other chats that have to work (client review). */
describe('hands', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let cleo: Person

  before(async () => {
    stack = await startFullStack({
      previews: true,
      settings: { channels: ['general', 'design', 'tools', 'news'] },
    })
    ada = await stack.signedIn('ada')
    bob = await stack.person('bob')
    cleo = await stack.person('cleo')
    await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  after(() => stack?.close())

  const open = async (channel: string) => {
    await ada.sidebarRow(channel).click()
    await shown(ada.heading.getByText(channel))
  }
  const picture = () => sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })

  it('a text of stacked marks paints over no message above it', async () => {
    await open('design')
    await bob.send('design', 'calm before')
    const above = ada.row('calm before').locator('.message-text')
    await shown(above)
    await ada.page.mouse.move(0, 0)
    const before = await above.screenshot({ animations: 'disabled' })
    await bob.send('design', [...'zalgooo'].map(letter => letter + '\u0301'.repeat(48)).join(''))
    await shown(ada.row('\u0301'.repeat(48)))
    await eventually(async () => {
      expect((await above.screenshot({ animations: 'disabled' })).equals(before)).to.equal(true)
    })
    await bob.send('design', 'ผู้ใหญ่ Tiếng Việt བསྒྲུབས')
    const whole = ada.row('ผู้ใหญ่').locator('.message-text')
    await shown(whole)
    const clipped = await whole.screenshot({ animations: 'disabled' })
    await whole.evaluate(text => text.style.setProperty('overflow', 'visible'))
    expect(
      (await whole.screenshot({ animations: 'disabled' })).equals(clipped),
      'letters stay whole',
    ).to.equal(true)
  })

  it('an override of the direction ends with its text', async () => {
    await bob.send('design', '\u202eturned around')
    await bob.send('design', 'straight on')
    const row = ada.row('straight on')
    await shown(row)
    const sides = await row.evaluate(article => {
      const range = document.createRange()
      const text = article.querySelector('.message-text p')!.firstChild!
      range.setStart(text, 0)
      range.setEnd(text, 1)
      const first = range.getBoundingClientRect().left
      range.setStart(text, 10)
      range.setEnd(text, 11)
      return [first, range.getBoundingClientRect().left]
    })
    expect(sides[0]).to.be.below(sides[1]!)
    // The name and the time stand before the text that turns.
    expect(await ada.row('turned around').locator('time').first().isVisible()).to.equal(true)
  })

  it('text from right to left ends at the right edge of the column, however long (client review 29)', async () => {
    const short = 'شكرا جزيلا'
    const long = Array(40).fill('هذا نص طويل').join(' ')
    await bob.send('design', short)
    await bob.send('design', `@ada ${long}`)
    const edges = (text: string) =>
      ada.row(text).evaluate(article => {
        const range = document.createRange()
        range.selectNodeContents(article.querySelector('.message-text p')!)
        const column = article.querySelector('.message-text')!.getBoundingClientRect()
        return [column.right - range.getBoundingClientRect().right, column.right]
      })
    await shown(ada.row(short))
    await shown(ada.row('هذا نص طويل'))
    const [ofShort, ofLong] = [await edges(short), await edges('هذا نص طويل')]
    expect(ofShort[0]).to.be.closeTo(0, 6)
    expect(ofShort[1]).to.be.closeTo(ofLong[1]!, 1)
  })

  it('a text that is too long for a message is sent as a file (client review 43)', async () => {
    await open('tools')
    const text = Array.from({ length: 600 }, (_, i) => `line ${i} of the log`).join('\n')
    await ada.composer.fill(text)
    const button = ada.page.getByRole('button', { name: 'Attach as a file' })
    await shown(button)
    await expectAccessible(ada.page)
    await ada.composer.focus()
    await button.press('Enter')
    await shown(ada.page.getByRole('button', { name: 'Remove message.txt' }))
    expect(await ada.composer.inputValue()).to.equal('')
    await ada.page.keyboard.press('Enter')
    const card = ada.page.getByRole('article').filter({ hasText: 'message.txt' })
    await shown(card)
    await eventually(async () => {
      const { filename } = (await ada.http.messages('tools')).at(-1)!
      const file = await ada.http.fetch(`/files/${filename}`)
      expect(await file.text()).to.equal(text)
    })
  })

  it('letters typed after a press on a message are written (client review 44)', async () => {
    await bob.send('tools', 'press me')
    const row = ada.row('press me')
    await shown(row)
    await ada.composer.fill('')
    await ada.composer.evaluate(field => field.blur())
    const { x, y, width, height } = (await row.boundingBox())!
    await ada.page.mouse.click(x + width - 40, y + height / 2)
    await ada.page.keyboard.type('errands')
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('errands'))
    await ada.composer.fill('')
  })

  it('the menu of times opens at its button, by the key as well (client review 39)', async () => {
    await ada.composer.fill('at nine')
    const button = ada.page.getByRole('button', { name: 'Send later' })
    await shown(button)
    await ada.composer.press('Control+Shift+Enter')
    const menu = ada.page.getByRole('menu')
    await shown(menu)
    const [at, of] = [(await menu.boundingBox())!, (await button.boundingBox())!]
    expect(at.x + at.width).to.be.closeTo(of.x + of.width, 80)
    await ada.page.keyboard.press('Escape')
    await gone(menu)
    await ada.composer.fill('')
  })

  it('emoji of the workspace are drawn by the first paint after a reload (client review 30)', async () => {
    const form = new FormData()
    form.set('name', 'shipit')
    form.append('image', new Blob([new Uint8Array(await picture().png().toBuffer())]), 'ship.png')
    expect((await ada.http.fetch('/emoji', { method: 'POST', body: form })).status).to.equal(201)
    await bob.send('tools', 'we :shipit: today')
    const drawn = ada.row('today').locator('img[alt=":shipit:"]')
    await shown(drawn)
    // Written a second after the change.
    await ada.page.waitForTimeout(2_000)
    await ada.page.route('**/emoji', () => {})
    await ada.page.reload()
    await shown(drawn)
    await ada.page.unrouteAll()
  })

  it('replies in one thread are one row of Activity (client review 34)', async () => {
    const root = await ada.http.send('news', 'who comes along?')
    for (let i = 1; i <= 3; i++) await bob.send('news', `me, ${i}`, { reply_to_id: String(root) })
    await cleo.send('news', 'me too', { reply_to_id: String(root) })
    await ada.page.getByRole('button', { name: /^Activity/ }).click()
    const row = ada.panel.locator('.activity-item').filter({ hasText: 'replied' })
    await shown(row.getByText('4 replies'))
    await shown(row.getByText('cleo and 1 other replied'))
    expect(await row.count()).to.equal(1)
    await expectAccessible(ada.page)
    await row.focus()
    await ada.page.keyboard.press('Enter')
    await shown(ada.row('me, 1'))
    await eventually(async () => expect(await row.locator('.visually-hidden').count()).to.equal(0))
    await ada.page.keyboard.press('Escape')
  })

  it('pictures with the name of another format are shown, and animated PNG', async () => {
    await open('general')
    const bytes = await picture().png().toBuffer()
    const files = [
      { name: 'saved.jpg', bytes: await picture().webp().toBuffer() },
      { name: 'moving.png', bytes: animatedPng(bytes, 3) },
    ]
    expect((await bob.sendFiles('general', files)).status).to.equal(200)
    const images = ada.page.locator('article img[src*="/files/"]')
    await eventually(async () => {
      const loaded = await images.evaluateAll(all =>
        (all as HTMLImageElement[]).map(one => [one.currentSrc, one.complete && one.naturalWidth > 0]),
      )
      expect(loaded.length).to.be.at.least(2)
      expect(loaded.filter(([, isThere]) => !isThere)).to.deep.equal([])
    })
    await ada.page
      .locator('[data-region=composer] input[type=file]')
      .setInputFiles({ name: 'scan.jfif', mimeType: 'image/jpeg', buffer: await picture().jpeg().toBuffer() })
    await shown(ada.page.locator('.attachment-tray img, .composer li img'))
    await ada.composer.press('Enter')
    await eventually(async () => {
      expect((await ada.http.messages('general')).at(-1)!.filename).to.match(/^[0-9a-f]{32}\.jpg$/)
    })
  })

  it('the picture in the viewer is copied by its button and by Ctrl+C (client review 46)', async () => {
    await ada.page.locator('article img[src*="/files/"]').first().click()
    const viewer = ada.page.getByRole('dialog')
    await shown(viewer.getByRole('button', { name: 'Copy image' }))
    await expectAccessible(ada.page)
    const copied = () =>
      ada.page.evaluate(async () => {
        const [item] = await navigator.clipboard.read()
        return (await createImageBitmap(await item!.getType('image/png'))).width
      })
    for (const copy of [
      () => viewer.getByRole('button', { name: 'Copy image' }).click(),
      () => ada.page.keyboard.press('Control+c'),
    ]) {
      await ada.page.evaluate(() => navigator.clipboard.writeText('nothing'))
      await copy()
      await shown(ada.page.getByText('Image copied'))
      expect(await copied()).to.equal(640)
      await gone(ada.page.getByText('Image copied'))
    }
    await ada.page.keyboard.press('Escape')
    await gone(viewer)
  })

  it('the last read message stands below the bar of unread messages (client review 35)', async () => {
    for (let i = 0; i < 30; i++) await ada.http.send('design', `read ${i}`)
    await cleo.send('design', 'the last one read')
    const dora = await stack.signedIn('dora')
    await dora.http.markRead('design')
    for (let i = 0; i < 40; i++) await bob.send('design', `fresh ${i}`)
    for (const width of [1280, 390]) {
      await dora.page.setViewportSize({ width, height: 844 })
      await dora.page.goto('/#/c/general')
      await dora.page.goto('/#/c/design')
      await shown(dora.row('fresh 0'))
      const bar = dora.page.locator('.unread-bar')
      await shown(bar)
      const last = (await dora.row('the last one read').boundingBox())!
      const { y, height } = (await bar.boundingBox())!
      expect(last.y, `${width} px`).to.be.at.least(y + height)
    }
  })

  it('cause no page errors', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
