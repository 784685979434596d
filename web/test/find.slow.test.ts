import { expect } from 'chai'
import sharp from 'sharp'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('finding and changing what was said', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({
      previews: true,
      settings: { channels: ['general', 'design'], keep_edits: true },
    })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(() => stack?.close())

  const written = (who: SignedIn) => who.composer.inputValue()
  const becomes = (read: () => Promise<unknown>, value: unknown) =>
    eventually(async () => expect(await read()).to.deep.equal(value))

  it('a day line opens a calendar with the number of messages, which leads to a day', async () => {
    const id = await ada.http.send('general', 'a while ago')
    await stack.backing.admin(`update messages set ts = ts - 40 * 86400 where id = ${id}`)
    await ada.http.send('general', 'just now')
    await ada.page.reload()
    await shown(ada.row('just now'))
    await ada.page.locator('.day-line button').last().click()
    const calendar = ada.page.getByRole('group', { name: 'Pick a date' })
    await shown(calendar.getByRole('button', { name: /, \d messages?$/ }))
    await expectAccessible(ada.page)
    await calendar.locator('[aria-current=date]').focus()
    await ada.page.keyboard.press('PageUp')
    await ada.page.keyboard.press('PageUp')
    const day = calendar.getByRole('button', { name: /, 1 message$/ })
    if ((await day.count()) === 0) await ada.page.keyboard.press('PageDown')
    await shown(day)
    await day.click()
    await gone(calendar)
    await shown(ada.page.locator('article.is-flashing', { hasText: 'a while ago' }))
  })

  it('(edited) shows earlier versions, and the edit box says that they stay', async () => {
    const id = await ada.http.send('general', 'Round three ships on Monday')
    await stack.backing.admin(`update messages set ts = ts - 120 where id = ${id}`)
    await ada.page.reload()
    await ada.choose('Round three', 'Edit')
    const box = ada.page.getByRole('textbox', { name: 'Edit message' })
    await shown(ada.page.getByText('Others can read the earlier text'))
    await expectAccessible(ada.page)
    await box.fill('Round four ships on Monday')
    await box.press('Enter')
    const row = bob.row('Round four ships')
    await row.getByRole('button', { name: '(edited)' }).click()
    const list = bob.page.getByRole('list', { name: 'Versions of this message' })
    await shown(list)
    expect(await list.locator('del').textContent()).to.equal('Removed: three')
    expect(await list.locator('ins').textContent()).to.equal('Added: four')
    expect(await list.getByRole('listitem').count()).to.equal(2)
    await expectAccessible(bob.page)
    await bob.page.keyboard.press('Escape')
    await gone(list)
  })

  it('slash commands are completed and run; unknown ones ask before they are sent', async () => {
    await ada.composer.pressSequentially('/to')
    const options = ada.page.locator('.mention-menu').getByRole('option')
    await shown(options.filter({ hasText: '/topic' }))
    await expectAccessible(ada.page)
    await ada.composer.press('Tab')
    await becomes(() => written(ada), '/topic ')
    await ada.composer.pressSequentially('Ships on Monday')
    await ada.composer.press('Enter')
    await becomes(() => written(ada), '')
    await shown(ada.page.locator('.channel-header-topic', { hasText: 'Ships on Monday' }))

    await ada.say('/topci oops')
    await shown(ada.page.getByRole('alertdialog', { name: 'There is no /topci. Send it as a message?' }))
    await focusIsOn(ada.page, '.command-bar button')
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
    await becomes(() => written(ada), '/topci oops')
    expect(await bob.row('/topci oops').count()).to.equal(0)
    await ada.composer.press('Enter')
    await ada.button('Send as a message').click()
    await shown(bob.row('/topci oops'))

    await ada.say('//etc is a folder')
    await shown(bob.row('/etc is a folder'))
    await ada.say('/me waves')
    await shown(bob.row('waves').locator('em', { hasText: 'waves' }))
    await ada.say('/topic')
    await shown(ada.page.getByText('Write /topic '))
    await becomes(() => written(ada), '/topic')
    await ada.composer.fill('')
    await shown(ada.page.locator('.channel-header-topic', { hasText: 'Ships on Monday' }))
    await ada.say('/help')
    await shown(ada.page.locator('.command-help', { hasText: '/shrug' }))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
    await ada.say('/join design')
    await ada.page.waitForURL(/#\/c\/design/)
    await ada.say('/schedule tomorrow 9:00 good morning')
    await shown(ada.page.getByText('Will be sent:'))
    await becomes(
      async () =>
        (await ada.http.get<{ items: { text: string }[] }>('/scheduled')).items.map(({ text }) => text),
      ['good morning'],
    )
    await ada.say('the newest one')
    await shown(ada.page.locator('article:not([data-pending])', { hasText: 'the newest one' }))
    await ada.say('/remind 20m')
    await shown(ada.page.getByText('A reminder comes:'))
    await becomes(
      async () =>
        (await ada.http.get<{ items: { message: { content: string } }[] }>('/saved')).items.map(
          ({ message }) => message.content,
        ),
      ['the newest one'],
    )
    await ada.say('/goto tomorrow')
    await shown(ada.page.getByText('Write /goto 2026-03-01'))
    expect(await written(ada), 'the text of a command that did not run stays').to.equal('/goto tomorrow')
    await ada.composer.fill('')
  })

  it('a command leaves the composer at once: Enter twice sends it once', async () => {
    await bob.page.evaluate(() => {
      location.hash = '#/c/general'
    })
    await shown(bob.row('waves'))
    await bob.composer.fill('/me nods twice')
    await bob.composer.press('Enter')
    await bob.composer.press('Enter')
    await bob.composer.pressSequentially('written since')
    await shown(bob.row('nods twice').locator('em'))
    expect(await written(bob)).to.equal('written since')
    expect(await bob.row('nods twice').count()).to.equal(1)
    await bob.composer.fill('')
  })

  it('a search with four operators has an address that a colleague opens', async () => {
    // Each of the others misses one operator.
    await bob.http.sendFiles('general', [{ name: 'Bob map.pdf', bytes: '%PDF-1.4' }])
    await ada.http.sendFiles('design', [{ name: 'Design map.pdf', bytes: '%PDF-1.4' }])
    await ada.http.sendFiles('general', [{ name: 'Text map.txt', bytes: 'north' }])
    await ada.http.sendFiles('general', [{ name: 'Wind rose.pdf', bytes: '%PDF-1.4' }])
    await ada.http.sendFiles('general', [{ name: 'Wind map.pdf', bytes: '%PDF-1.4' }])
    const isAlone = async (who: SignedIn) => {
      await shown(who.panel.locator('.result', { hasText: 'Wind map.pdf' }))
      expect(await who.panel.locator('.result').count(), who.name).to.equal(1)
    }
    await ada.say('/search from:ada in:general has:pdf name:map')
    await isAlone(ada)
    await ada.page.waitForURL(/#\/search\/.*name/)
    const address = ada.page.url()
    await ada.button('Close search').click()
    await bob.page.goto('about:blank')
    await bob.page.goto(address)
    await isAlone(bob)
    await expectAccessible(bob.page)
    await bob.button('Close search').click()
  })

  it('an emoji of the workspace is added, reacted with, written, and removed', async () => {
    const image = await sharp({ create: { width: 60, height: 60, channels: 4, background: 'teal' } })
      .png()
      .toBuffer()
    await ada.say('a parrot would help')
    await ada.act('a parrot would help', 'Add reaction')
    await ada.button('Add an emoji').click()
    await ada.page
      .locator('.own-emoji input[type=file]')
      .setInputFiles({ name: 'Party Parrot.png', mimeType: 'image/png', buffer: image })
    await becomes(() => ada.page.getByLabel('Name').inputValue(), 'party_parrot')
    await expectAccessible(ada.page)
    await ada.page.locator('.own-emoji').getByRole('button', { name: 'Add', exact: true }).click()
    await ada.page.getByRole('group', { name: 'Ours' }).getByRole('option', { name: 'party_parrot' }).click()
    const picture = (who: SignedIn) => who.row('a parrot would help').locator('.reaction img')
    await bob.page.evaluate(() => {
      location.hash = '#/c/design'
    })
    await shown(picture(bob))
    expect(await picture(bob).getAttribute('alt')).to.equal(':party_parrot:')
    await eventually(async () =>
      expect(
        await picture(bob).evaluate(one => (one as unknown as { naturalWidth: number }).naturalWidth),
      ).to.equal(60),
    )
    await bob.composer.pressSequentially('look :party_p')
    await shown(bob.page.locator('.mention-menu').getByRole('option', { name: ':party_parrot:' }))
    await bob.composer.press('Tab')
    await bob.composer.press('Enter')
    await shown(ada.row('look').locator('.message-text img[alt=":party_parrot:"]'))
    await expectAccessible(bob.page)

    await ada.page.locator('.composer-bar').getByRole('button', { name: 'Emoji' }).click()
    await ada.button('Add an emoji').click()
    await ada.button('Remove :party_parrot:').click()
    await shown(bob.row('a parrot would help').locator('.reaction', { hasText: ':party_parrot:' }))
    await gone(picture(bob))
  })

  it('cause no page errors', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
