import { expect } from 'chai'
import { usernameFrom } from '#shared/domain/username.ts'
import { axeFindings, expectAccessible } from '#shared/test-kit/axe.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

/** Habits of people who join: a name, a link on a phone, a guest. */
describe('newcomers', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack({
      settings: { channels: ['general', 'design'], workspace_name: 'Nordlicht GmbH' },
    })
    ada = await stack.signedIn('ada')
    await ada.http.send('design', 'The new brand guide is live.')
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await stack?.close()
  })

  const invite = async (role: 'member' | 'guest', channels: string[]) => {
    const made = await ada.http.postJson('/invites', { role, channels, max_uses: 5 })
    return new URL(((await made.json()) as { url: string }).url).pathname
  }
  const field = (user: BrowserUser, label: string) => user.page.getByLabel(label, { exact: true })

  it('enters a name, and the username is made from it', async () => {
    const jonas = await stack.user('jonas')
    await jonas.page.goto('/signup')
    expect(await axeFindings(jonas.page)).to.deep.equal([])
    for (const name of [
      'Jonas Weiß',
      'Łukasz  Ærø',
      "Siobhán O'Brien",
      'J. R. Özdemir',
      '田中 Yuki',
      '佐藤',
    ]) {
      await field(jonas, 'Your name').fill(name)
      await eventually(async () =>
        expect(await field(jonas, 'Username').inputValue(), name).to.equal(usernameFrom(name)),
      )
    }
    expect(usernameFrom('Jonas Weiß')).to.equal('jonas-weiss')
    // By keyboard alone; the name has the focus first.
    await jonas.page.reload()
    await shown(jonas.page.locator('input[name=display_name]:focus'))
    await jonas.page.keyboard.type('Jonas Weiß')
    await jonas.page.keyboard.press('Tab')
    await eventually(async () => expect(await field(jonas, 'Username').inputValue()).to.equal('jonas-weiss'))
    await field(jonas, 'Password').fill(PASSWORD)
    await field(jonas, 'Repeat the password').fill(PASSWORD)
    await jonas.page.keyboard.press('Enter')
    await shown(jonas.page.locator('.sidebar-me', { hasText: 'Jonas Weiß' }))
    await shown(jonas.row('Welcome to Nordlicht GmbH, Jonas Weiß'))
    await jonas.leave()
  })

  it('types another username, which the name no longer changes', async () => {
    const kim = await stack.user('kim')
    await kim.page.goto('/signup')
    await field(kim, 'Your name').fill('Kim')
    await field(kim, 'Username').fill('kimchi')
    await field(kim, 'Your name').fill('Kim Larsen')
    await eventually(async () => expect(await field(kim, 'Username').inputValue()).to.equal('kimchi'))
    await kim.leave()
  })

  it('has the name of a colleague, and gets a number', async () => {
    const other = await stack.user('other')
    await other.page.goto(await invite('member', ['design']))
    await field(other, 'Your name').fill('Jonas Weiß')
    await field(other, 'Password').fill(PASSWORD)
    await other.button('Join').click()
    await shown(other.page.getByText('Your username: jonas-weiss-2'))
    await other.leave()
  })

  it('opens the channel of the invitation with a welcome, and closes it', async () => {
    const hanna = await stack.user('hanna')
    const { page } = hanna
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(await invite('member', ['design']))
    await field(hanna, 'Your name').fill('Hanna Berg')
    await field(hanna, 'Password').fill(PASSWORD)
    await hanna.button('Join').click()
    const bar = page.getByRole('region', { name: 'Welcome to Nordlicht GmbH.' })
    await shown(bar.getByText('Your username: hanna-berg'))
    await shown(hanna.row('The new brand guide is live.'))
    expect(new URL(page.url())).to.include({ search: '', hash: '#/c/design' })
    await expectAccessible(page)
    // Chromium's own event needs an engagement that a test has not.
    await page.evaluate(() => {
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => ({ outcome: 'accepted' }),
      })
      dispatchEvent(offer)
    })
    await bar.getByRole('button', { name: 'Add to home screen' }).click()
    await gone(bar.getByRole('button', { name: 'Add to home screen' }))
    await bar.getByRole('button', { name: 'Add your picture' }).click()
    await shown(page.getByRole('heading', { name: 'Profile' }))
    await page.goBack()
    await page.reload()
    await bar.getByRole('button', { name: 'Close welcome' }).click()
    await gone(bar)
    await page.reload()
    await shown(hanna.row('The new brand guide is live.'))
    expect(await bar.count()).to.equal(0)
    await hanna.leave()
  })

  it('reads before joining that one is a guest, and of which channels', async () => {
    const lena = await stack.user('lena')
    await lena.page.goto(await invite('guest', ['design']))
    await shown(lena.page.getByText('You join as a guest. You see these channels and the people in them:'))
    await shown(lena.page.getByRole('listitem').getByText('design'))
    expect(await axeFindings(lena.page)).to.deep.equal([])
    await lena.leave()
  })
})
