import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('private channels', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let dora: SignedIn

  before(async () => {
    stack = await startFullStack()
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    dora = await stack.signedIn('dora')
  })
  after(() => stack?.close())

  /** Creates a channel of ada and bob over HTTP, and opens it in these pages. */
  async function open(name: string, users: SignedIn[]): Promise<string> {
    const channel = await ada.http.createPrivateChannel(name, ['bob'])
    for (const user of users) {
      await user.sidebarRow(name).click()
      await shown(user.heading.getByText(name))
    }
    return channel
  }

  it('appear at once for their invited members, and once after two presses', async () => {
    await ada.button('New private channel').click()
    await ada.dialog.getByLabel('Name').fill('Rev A board')
    await ada.dialog.getByRole('combobox', { name: 'People' }).fill('bo')
    await ada.dialog.getByRole('option', { name: /bob/ }).click()
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Create' }).dblclick()
    await ada.page.waitForURL(/#\/p\/\d+$/)
    await shown(ada.heading.getByText('Rev A board'))
    await shown(bob.sidebarRow('Rev A board'))
    expect(await bob.sidebarRow('Rev A board').count()).to.equal(1)
    expect(await dora.sidebarRow('Rev A board').count()).to.equal(0)
  })

  it('show unread messages as a number, and a mention in amber', async () => {
    await open('Rev B board', [ada])
    await ada.say('antenna first')
    await shown(bob.sidebarRow('Rev B board').locator('.unread-count', { hasText: '1' }))
    await ada.say('@bob worth a call?')
    await shown(bob.sidebarRow('Rev B board').locator('.unread-badge.is-mention', { hasText: '@1' }))
  })

  it('offer only their members for completion', async () => {
    await open('Rev C board', [bob])
    await bob.composer.fill('')
    await bob.composer.pressSequentially('@')
    await shown(bob.page.getByRole('option', { name: /ada/ }))
    expect(await bob.page.getByRole('option', { name: /dora/ }).count()).to.equal(0)
    await bob.composer.fill('')
  })

  it('a member added later sees the channel from then on, and a line in it says so', async () => {
    const channel = await open('Rev D board', [ada])
    await ada.http.send(channel, 'antenna first')
    await shown(ada.row('antenna first'))
    await ada.page.getByRole('button', { name: 'Details of this channel' }).click()
    await expectAccessible(ada.page)
    await ada.panel.getByRole('tab', { name: /^People/ }).click()
    await ada.button('Add someone').click()
    const field = ada.dialog.getByRole('combobox', { name: 'Add people' })
    await shown(ada.dialog.getByText('They will see messages from now on, not earlier ones.'))
    await field.fill('zed')
    await shown(ada.dialog.getByText('No one has that name.'))
    await field.fill('bob')
    await shown(ada.dialog.getByText('Already there.'))
    await field.fill('dor')
    await expectAccessible(ada.page)
    await field.press('Enter')
    await ada.dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await gone(ada.dialog)
    await dora.sidebarRow('Rev D board').click()
    await shown(dora.page.getByText('You see messages from when you joined.'))
    await shown(dora.page.locator('article.is-system', { hasText: 'ada added dora' }))
    expect(await dora.row('antenna first').count()).to.equal(0)
    await eventually(async () => expect(await ada.panel.locator('.option').count()).to.equal(3))
    await ada.button('Close details').click()
  })

  it('any member can rename a private channel, and everybody sees the new name', async () => {
    const channel = await open('Rev E board', [ada, bob])
    await ada.http.addMember(channel, 'dora')
    await dora.sidebarRow('Rev E board').click()
    await bob.page.getByRole('button', { name: 'Details of this channel' }).click()
    await bob.button('Rename').click()
    await bob.dialog.getByLabel('Name').fill('Rev F board')
    await bob.dialog.getByRole('button', { name: 'Rename' }).click()
    await gone(bob.dialog)
    for (const user of [ada, bob, dora]) {
      await shown(user.heading.getByText('Rev F board'))
      await shown(user.sidebarRow('Rev F board'))
      await shown(
        user.page.locator('article.is-system', { hasText: 'bob renamed the channel to “Rev F board”' }),
      )
    }
    await bob.button('Close details').click()
  })

  it('leaving needs a confirmation, and a lost channel closes with a message', async () => {
    const channel = await open('Rev G board', [ada, bob])
    const id = channel.replace('private:', '')
    await ada.http.addMember(channel, 'dora')
    await dora.sidebarRow('Rev G board').click()
    await dora.page.getByRole('button', { name: 'Details of this channel' }).click()
    await dora.button('Leave').click()
    await shown(dora.dialog.getByText('Leave Rev G board?'))
    await shown(dora.dialog.getByText('Someone has to add you again.'))
    await dora.dialog.getByRole('button', { name: 'Leave' }).click()
    await shown(dora.page.getByText('You left Rev G board.'))
    await gone(dora.sidebarRow('Rev G board'))
    await shown(ada.page.locator('article.is-system', { hasText: 'dora left the channel' }))

    // From another device, or by the deletion of an account: the open page only receives the event.
    await shown(bob.heading.getByText('Rev G board'))
    await bob.http.leave(channel)
    await shown(bob.page.getByText('You are no longer in Rev G board.'))
    await shown(bob.heading.getByText('general'))
    await bob.page.goto(`/#/p/${id}`)
    await shown(bob.page.getByText('This private channel is not open to you'))

    await ada.page.getByRole('button', { name: 'Details of this channel' }).click()
    await shown(ada.panel.getByRole('tab', { name: 'People 1' }))
    await ada.button('Leave').click()
    await shown(ada.dialog.getByText('You are the last one here. The channel stays, empty.'))
    await ada.button('Cancel').click()
    await ada.button('Close details').click()
    await ada.http.addMember(channel, 'bob')
    await shown(bob.heading.getByText('Rev G board'))
    await shown(bob.page.getByText('You see messages from when you joined.'))
  })

  it('stay open to their members when archived, are found again, and come back with drafts', async () => {
    await open('Rev H board', [ada, bob])
    await ada.say('antenna last')
    await shown(bob.row('antenna last'))
    await bob.composer.fill('half a sentence')
    await ada.page.getByRole('button', { name: 'Details of this channel' }).click()
    await ada.panel.getByRole('button', { name: 'Edit the channel' }).click()
    await ada.dialog.getByLabel('Topic').fill('Antennas')
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await gone(ada.dialog)
    await ada.panel.getByRole('button', { name: 'Archive' }).click()
    for (const user of [ada, bob]) {
      await shown(user.page.getByText('You can read and search it. Nobody can write.'))
      await gone(user.sidebarRow('Rev H board'))
      await shown(user.row('antenna last'))
    }
    expect(await bob.page.getByText('You are no longer in Rev H board').count()).to.equal(0)
    await bob.row('antenna last').focus()
    await bob.page.keyboard.press('1')
    await bob.page.keyboard.press('Enter')
    await shown(bob.page.getByRole('menuitem', { name: 'Copy text' }))
    expect(await bob.page.getByRole('menuitem', { name: /^(Reply|Pin)/ }).count()).to.equal(0)
    expect(await bob.row('antenna last').locator('.reaction').count()).to.equal(0)
    await bob.page.keyboard.press('Escape')

    await bob.page.reload()
    await shown(bob.heading.getByText('Rev H board'))
    await bob.sidebarRow('general').click()
    await bob.button('Browse or create channels').click()
    await bob.page.getByRole('menuitem', { name: 'Browse channels' }).click()
    await bob.button('Archived').click()
    await bob.page.keyboard.press('Tab')
    await bob.page.locator('.browse-row-link', { hasText: 'Rev H board' }).click()
    await shown(bob.row('antenna last'))
    await ada.button('Unarchive').first().click()
    await shown(bob.sidebarRow('Rev H board'))
    await shown(bob.composer)
    expect(await bob.composer.inputValue()).to.equal('half a sentence')
    await bob.composer.fill('')
    await ada.button('Close details').click()
  })

  it('are counted among the archived ones, also if words are typed before their list is there', async () => {
    for (const name of ['Rev J, east', 'Rev J, west']) {
      const channel = await ada.http.createPrivateChannel(name, ['bob'])
      expect((await ada.http.postJson(`/channel_info/${channel}/archive`, {})).status).to.equal(204)
    }
    let typed = () => {}
    const isTyped = new Promise<void>(done => {
      typed = done
    })
    const privateList = /\/private_channels\?archived=1/
    let asked = 0
    await bob.page.route(privateList, async route => {
      asked++
      await isTyped
      if (asked === 1) await route.fulfill({ status: 503, json: { error: 'busy' } })
      else await route.fallback()
    })
    const publicList = bob.page.waitForResponse(/\/public_channels\?.*archived=1/)
    await bob.button('Browse or create channels').click()
    await bob.page.getByRole('menuitem', { name: 'Browse channels' }).click()
    await bob.button('Archived').click()
    const page = bob.page.getByRole('main', { name: 'Channels', exact: true })
    await page.evaluate(main => {
      const note = () => {
        if (/\b0 channels|No channel/.test(main.textContent)) main.dataset['wrong'] = main.textContent
      }
      note()
      new MutationObserver(note).observe(main, { childList: true, characterData: true, subtree: true })
    })
    await (await publicList).finished()
    await page.getByRole('combobox').fill('west')
    typed()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await shown(page.locator('.browse-row-link', { hasText: 'Rev J, west' }))
    await shown(page.getByText('1 of 2 channels', { exact: true }))
    expect(await page.getAttribute('data-wrong'), 'no number before the list is there').to.equal(null)
    await bob.page.unroute(privateList)
    await bob.page.keyboard.press('Escape')
    await gone(page)
  })

  it('cause no page errors', () => {
    expect([...ada.complaints, ...bob.complaints, ...dora.complaints]).to.deep.equal([])
  })
})
