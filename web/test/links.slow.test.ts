import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { openSite } from '#shared/test-kit/site.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('links within the service', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let id: number
  let secret: number

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    id = await ada.http.send('design', 'the watchdog is *shorter* now')
    for (let at = 0; at < 30; at++) await ada.http.send('design', `note ${at}`)
    const channel = await ada.http.createPrivateChannel('Rev C board', [])
    secret = await ada.http.send(channel, 'not for bob')
  })
  after(() => stack?.close())

  it('a link to a message shows the message and opens it in place', async () => {
    await ada.http.send('general', `see ${stack.url}/m/${id} please`)
    const card = bob.row('please').locator('.message-card')
    await shown(card)
    expect(await card.textContent()).to.match(
      /ada[\s\S]*#design[\s\S]*Today, \d+:\d\d[\s\S]*the watchdog is shorter now/,
    )
    await expectAccessible(bob.page)
    await bob.row('please').locator('.message-text a').click()
    await bob.page.waitForURL(new RegExp(`#/c/design/m/${id}$`))
    await shown(bob.page.locator('article.is-flashing', { hasText: 'the watchdog' }))
    await bob.page.goBack()
    await shown(bob.heading.getByText('general'))
    expect(bob.page.context().pages()).to.have.length(1)
  })

  it('a quoted message has its replies and reactions, and says that it was deleted', async () => {
    const short = await ada.http.send('design', 'for a short time')
    await ada.http.send('design', 'a reply', { reply_to_id: String(short) })
    await bob.http.react(short, 'tada')
    await ada.http.send('general', `this one: ${stack.url}/m/${short}`)
    const card = bob.row('this one').locator('.message-card')
    await shown(card.getByText('for a short time'))
    await shown(card.locator('.message-card-foot', { hasText: '1 reply' }))
    expect(await card.locator('.message-card-foot').innerText()).to.match(/🎉 1/)
    await ada.http.delete(short)
    await bob.page.reload()
    await shown(card.getByText('Message deleted'))
  })

  it('a quoted message in view follows its edits, its deletion and the access of the reader', async () => {
    const changed = await ada.http.send('design', 'torque 12 Nm')
    const here = await ada.http.send('general', 'pressure 3 bar')
    const board = await ada.http.createPrivateChannel('Rev D board', ['bob'])
    const inside = await ada.http.send(board, 'the supplier is Ivo')
    for (let at = 0; at < 120; at++) await ada.http.send('general', `hum ${at}`)
    // Bob's own messages, at which his page opens.
    await bob.http.send('general', 'an answer', { reply_to_id: String(here) })
    const text = `three: ${stack.url}/m/${changed} ${stack.url}/m/${here} ${stack.url}/m/${inside}`
    await bob.http.send('general', text)
    await bob.page.reload()
    const card = (words: string) => bob.row('three').locator('.message-card', { hasText: words })
    for (const words of ['torque 12 Nm', 'pressure 3 bar', 'the supplier is Ivo']) await shown(card(words))
    const quote = (words: string) => bob.row('an answer').locator('.reply-quote', { hasText: words })
    await shown(quote('pressure 3 bar'))

    await ada.http.postForm(`/edit/${here}`, { text: 'pressure 4 bar' })
    await shown(card('pressure 4 bar'))
    await shown(quote('pressure 4 bar'))
    await ada.http.delete(here)
    await gone(card('pressure'))
    await gone(quote('pressure'))
    await ada.http.postForm(`/edit/${changed}`, { text: 'torque 9 Nm' })
    // Somebody looks again: the pause is at most fifteen seconds.
    await bob.page.evaluate(() => dispatchEvent(new Event('focus')))
    await shown(card('torque 9 Nm'))
    await ada.http.delete(changed)
    await gone(card('torque'))

    await ada.http.postJson(`/private_channels/${board.slice('private:'.length)}/remove_member`, {
      username: 'bob',
    })
    await gone(card('Ivo'))
  })

  it('quotes and cards of many messages are one request, and one after fifteen seconds in view', async () => {
    const ids: number[] = []
    for (let at = 0; at < 6; at++) ids.push(await ada.http.send('design', `reading ${at}`))
    const requests: string[] = []
    bob.page.on('request', request => {
      const { pathname, search } = new URL(request.url())
      if (/^\/(message|linked_messages)\b/.test(pathname)) requests.push(pathname + search)
    })
    for (const [name, some] of Object.entries({ first: ids.slice(0, 3), second: ids.slice(3) }))
      await bob.http.send('general', `${name} half ${some.map(one => `${stack.url}/m/${one}`).join(' ')}`)
    for (const [at, id] of ids.entries())
      await shown(bob.row(at < 3 ? 'first half' : 'second half').locator(`.message-card[href$="/m/${id}"]`))
    const asksFor = (path: string) => ids.filter(one => path.includes(String(one)))
    const first = requests.filter(path => asksFor(path).length > 0)
    expect(first.flatMap(asksFor)).to.have.members(ids)
    expect(first.length).to.be.lessThan(4)

    requests.length = 0
    const answer = await bob.page.waitForResponse(response => response.url().includes('/linked_messages'), {
      timeout: 60_000,
    })
    expect(ids.filter(one => answer.url().includes(`${one}-`))).to.deep.equal(ids)
    expect((await answer.json()).items).to.deep.equal([])
    expect(requests).to.have.length(1)
  })

  it('a link to a message that the reader cannot see stays a plain link', async () => {
    const answer = bob.page.waitForResponse(response =>
      response.url().includes(`/linked_messages?ids=${secret}`),
    )
    await ada.http.send('general', `secret ${stack.url}/m/${secret}`)
    await shown(ada.row('secret').locator('.message-card'))
    expect(await (await answer).json()).to.deep.equal({ items: [], unreadable: [secret] })
    expect(await bob.row('secret').locator('.message-card').count()).to.equal(0)
    await bob.row('secret').locator('.message-text a').click()
    await shown(bob.page.getByText('That message is not here any more.'))
  })

  it('after # the composer offers the channels that the reader can see, and a text links to them', async () => {
    await bob.composer.click()
    await bob.page.keyboard.type('look at #')
    const menu = bob.page.getByRole('listbox', { name: 'Channels' })
    await shown(menu.getByRole('option', { name: 'general' }))
    expect(await menu.getByRole('option', { name: 'Rev C board' }).count()).to.equal(0)
    await bob.page.keyboard.type('des')
    await bob.page.keyboard.press('Enter')
    await eventually(async () => expect(await bob.composer.inputValue()).to.equal('look at #design '))
    await bob.page.keyboard.type('and #nothing')
    await bob.page.keyboard.press('Enter')
    const link = bob.row('look at').getByRole('link', { name: '#design' })
    await shown(link)
    expect(await bob.row('look at').locator('.message-text a').count()).to.equal(1)
    await link.click()
    await shown(bob.heading.getByText('design'))
  })

  it('a time has date and seconds as its tooltip, and is the address of its message', async () => {
    const time = bob.row('note 29').locator('a.message-time').first()
    await bob.row('note 29').hover()
    await eventually(async () =>
      expect(await time.getAttribute('title')).to.match(/^\w+,? \d+ \w+ \d{4}, \d\d:\d\d:\d\d/),
    )
    expect(await time.getAttribute('href')).to.match(/^\/m\/\d+$/)
    await time.click()
    await bob.page.waitForURL(/#\/c\/design\/m\/\d+$/)
    await shown(bob.page.locator('article.is-flashing', { hasText: 'note 29' }))
  })

  it('a day line has a menu that jumps to a day', async () => {
    const line = bob.page.locator('.day-line button', { hasText: 'Today' })
    await line.scrollIntoViewIfNeeded()
    await line.click()
    const menu = bob.page.getByRole('menu', { name: 'Jump to a day' })
    await expectAccessible(bob.page)
    await menu.getByRole('menuitem', { name: 'The beginning' }).click()
    await shown(bob.page.locator('article.is-flashing', { hasText: 'the watchdog' }))
    await bob.page.keyboard.press('Control+k')
    await bob.page.keyboard.type('jump to a day')
    await bob.page.keyboard.press('Enter')
    await bob.page.getByLabel('Pick a date').locator('[aria-current=date]').focus()
    await bob.page.keyboard.press('PageUp')
    await bob.page.keyboard.press('Enter')
    await gone(menu)
    await shown(bob.page.locator('article.is-flashing', { hasText: 'the watchdog' }))
  })

  it('an address with a fragment survives signing in, also after a wrong password', async () => {
    const visitor = await stack.user('visitor')
    const { page } = visitor
    await page.goto(`/#/c/design/m/${id}`)
    await page.getByLabel('Username').fill('bob')
    await page.locator('input[name=password]').fill('wrong')
    await page.locator('form .button-primary').click()
    await shown(page.getByText('Invalid username or password.'))
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form .button-primary').click()
    await page.waitForURL(new RegExp(`/#/c/design/m/${id}$`))
    await shown(page.locator('article', { hasText: 'the watchdog' }))
    await visitor.leave()
    const newcomer = await stack.user('newcomer')
    await newcomer.page.goto(`/m/${id}`)
    await newcomer.page.getByRole('link', { name: 'Create an account' }).click()
    await newcomer.page.getByLabel('Username').fill('newcomer')
    await newcomer.page.locator('input[name=password]').fill(PASSWORD)
    await newcomer.page.locator('input[name=confirm_password]').fill(PASSWORD)
    await newcomer.page.locator('form .button-primary').click()
    await newcomer.page.waitForURL(new RegExp(`/#/c/design/m/${id}$`))
    await newcomer.leave()
  })

  it('a link on another site leads a signed-out person through the sign-in to the message', async () => {
    const site = await openSite({
      '/minutes': {
        body: `<!doctype html><p>Decided <a href="${stack.url}/m/${id}">in the chat</a>, not
          <a href="${stack.url}/m/${secret}">there</a>`,
      },
    })
    const visitor = await stack.user('visitor')
    const { page } = visitor
    const signIn = async () => {
      await page.getByLabel('Username').fill('bob')
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.locator('form .button-primary').click()
    }
    const elsewhere = site.url
    expect(new URL(elsewhere).hostname).to.not.equal(new URL(stack.url).hostname)
    await page.goto(`${elsewhere}/minutes`)
    await page.getByRole('link', { name: 'in the chat' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/login\?next=/)
    expect(await page.content(), 'nothing of the message before').to.not.include('watchdog')
    await signIn()
    await page.waitForURL(new RegExp(`/#/c/design/m/${id}$`))
    await shown(page.locator('article.is-flashing', { hasText: 'the watchdog' }))
    const row = page.locator('article', { hasText: 'the watchdog' }).first()
    expect(await row.evaluate(element => element.getBoundingClientRect().top >= 0)).to.equal(true)
    // With a session, from the same site once more; then to what the person cannot see.
    await page.goto(`${elsewhere}/minutes`)
    await page.getByRole('link', { name: 'in the chat' }).click()
    await page.waitForURL(new RegExp(`/#/c/design/m/${id}$`))
    await shown(page.locator('article.is-flashing', { hasText: 'the watchdog' }))
    await page.goto(`${elsewhere}/minutes`)
    const answer = page.waitForResponse(response => response.url().endsWith(`/m/${secret}`))
    await page.getByRole('link', { name: 'there' }).click()
    expect((await answer).status()).to.equal(404)
    expect(visitor.complaints).to.deep.equal([])
    await visitor.leave()
    site.close()
  })

  it('cause no page errors', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
