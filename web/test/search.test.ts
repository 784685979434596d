import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('the search', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    const person = await stack.person('tomasz')
    await person.send('general', 'Overnight *soak*: 3 units dropped off')
    await person.send('design', 'the soak overnight went well')
    await ada.http.send('general', 'nothing soaked, overnight neither')
    await stack.backing.admin(
      `insert into messages (channel, ord, sender, content, ts)
       select 'design', 1000 + i, 'tomasz', 'flood ' || i, extract(epoch from now()) - 40 * 86400 + i
         from generate_series(1, 120) i`,
    )
  })
  after(() => stack?.close())

  const field = (who: SignedIn) => who.panel.getByRole('combobox')
  const results = (who: SignedIn) => who.panel.locator('.result')
  const texts = (who: SignedIn) => who.panel.locator('.result-text').allInnerTexts()
  const chips = (who: SignedIn) => who.panel.locator('.search-filter.is-set').allInnerTexts()
  const expectTexts = (who: SignedIn, ...wanted: string[]) =>
    eventually(async () => expect(await texts(who)).to.deep.equal(wanted))
  const expectChips = (who: SignedIn, ...wanted: string[]) =>
    eventually(async () => expect(await chips(who)).to.deep.equal(wanted))

  async function open(who: SignedIn, query = '') {
    await who.button('Search messages').click()
    await focusIsOn(who.page, '[data-region=panel] input')
    await who.page.keyboard.type(query)
  }

  it('finds words in any order, phrases and excluded words', async () => {
    await open(ada, 'soak overnight')
    await expectTexts(
      ada,
      'nothing soaked, overnight neither',
      'the soak overnight went well',
      'Overnight soak: 3 units dropped off',
    )
    expect(await results(ada).nth(1).locator('mark').allInnerTexts()).to.deep.equal(['soak', 'overnight'])
    await field(ada).fill('"soak overnight"')
    await expectTexts(ada, 'the soak overnight went well')
    await field(ada).fill('soak -units -neither')
    await expectTexts(ada, 'the soak overnight went well')
    await expectAccessible(ada.page)
    await ada.button('Close search').click()
  })

  it('has an address, which opens it again after a reload and with Back', async () => {
    const { page } = ada
    await open(ada, 'from:tomasz soak')
    await page.waitForURL(/#\/search\/from%3Atomasz%20soak$/)
    await page.reload()
    await expectChips(ada, 'From tomasz')
    expect(await field(ada).inputValue()).to.equal('soak')
    await expectTexts(ada, 'the soak overnight went well', 'Overnight soak: 3 units dropped off')
    await results(ada).first().click()
    await shown(ada.heading.getByText('design'))
    await page.goBack()
    await shown(ada.heading.getByText('general'))
    await expectTexts(ada, 'the soak overnight went well', 'Overnight soak: 3 units dropped off')
    await page.goBack()
    await gone(ada.panel)
    await page.goto('/#/search/soak%20-units')
    await expectChips(ada, 'Not: units')
    await expectTexts(ada, 'nothing soaked, overnight neither', 'the soak overnight went well')
    await ada.button('Close search').click()
  })

  it('makes chips of every typed operator and of excluded words', async () => {
    await open(ada, 'has:link is:reply after:2026-01-02 before:2026-02-03 on:today -in:general -units soak ')
    await expectChips(
      ada,
      'Has a link',
      'Reply',
      'After 2 Jan',
      'Before 3 Feb',
      'Today',
      'Not: In #general',
      'Not: units',
    )
    expect((await field(ada).inputValue()).trim()).to.equal('soak')
    await expectAccessible(ada.page)
    await ada.panel.getByRole('button', { name: 'Not: units', exact: true }).click()
    await eventually(async () => expect(await field(ada).inputValue()).to.equal('soak -units'))
    await focusIsOn(ada.page, '[data-region=panel] input')
    await ada.button('Close search').click()
  })

  it('makes chips of typed operators, which the keyboard reaches and removes', async () => {
    await open(ada, 'from:tomasz soak')
    await expectChips(ada, 'From tomasz')
    expect(await field(ada).inputValue()).to.equal('soak')
    await expectTexts(ada, 'the soak overnight went well', 'Overnight soak: 3 units dropped off')
    await ada.page.keyboard.type(' in:gen')
    await shown(ada.panel.getByRole('option', { name: '#general' }))
    await ada.page.keyboard.press('Enter')
    await expectChips(ada, 'From tomasz', 'In #general')
    await expectTexts(ada, 'Overnight soak: 3 units dropped off')
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Home')
    await ada.page.keyboard.press('ArrowLeft')
    await ada.page.keyboard.press('Delete')
    await expectChips(ada, 'From tomasz')
    await ada.page.keyboard.press('Backspace')
    await expectChips(ada)
    await focusIsOn(ada.page, '[data-region=panel] input')
    await expectTexts(
      ada,
      'nothing soaked, overnight neither',
      'the soak overnight went well',
      'Overnight soak: 3 units dropped off',
    )
    await ada.button('Close search').click()
  })

  it('offers the open channel first, and the usual days before a calendar', async () => {
    await open(ada, 'soak')
    await ada.panel.getByRole('button', { name: 'In #general' }).click()
    await expectTexts(ada, 'nothing soaked, overnight neither', 'Overnight soak: 3 units dropped off')
    await ada.panel.getByRole('button', { name: 'Date' }).click()
    await ada.page.getByRole('button', { name: 'Yesterday' }).click()
    await expectChips(ada, 'In #general', 'Yesterday')
    await shown(ada.panel.getByText('Nothing matches'))
    await ada.panel.getByRole('button', { name: 'Yesterday', exact: true }).click()
    await ada.page.getByRole('button', { name: 'Pick a day…' }).click()
    await expectAccessible(ada.page)
    expect(await ada.page.locator('input[type=date]').count()).to.equal(0)
    await ada.page.getByRole('button', { name: 'Before' }).click()
    await ada.page.locator('.month-days [aria-current=date]').focus()
    await ada.page.keyboard.press('ArrowRight')
    await ada.page.keyboard.press('Enter')
    await eventually(async () => expect((await chips(ada))[1]).to.match(/^Before \d/))
    await expectTexts(ada, 'nothing soaked, overnight neither', 'Overnight soak: 3 units dropped off')
    await ada.button('Close search').click()
  })

  it('says in a sentence what it does not know', async () => {
    await open(ada, 'from:nobody has:sparkles soak ')
    await shown(ada.panel.getByText('No person is called “nobody”.'))
    await shown(ada.panel.getByText('“has:sparkles” was left out.'))
    await shown(ada.panel.getByText('Nothing matches “from:nobody has:sparkles soak”'))
    await ada.button('Close search').click()
  })

  it('counts the hits, loads older ones and turns the order', async () => {
    await open(ada, 'flood')
    await shown(ada.panel.getByText('120 results'))
    await eventually(async () => expect(await results(ada).count()).to.equal(50))
    await ada.panel.getByRole('button', { name: 'Older' }).click()
    await eventually(async () => expect(await results(ada).count()).to.equal(100))
    await ada.panel.getByRole('button', { name: 'Older' }).click()
    await eventually(async () => expect(await results(ada).count()).to.equal(120))
    await gone(ada.panel.getByRole('button', { name: 'Older' }))
    await ada.panel.getByRole('button', { name: 'Newest first' }).click()
    await eventually(async () => expect((await texts(ada))[0]).to.equal('flood 1'))
    await ada.button('Close search').click()
  })

  it('continues no results of an earlier query', async () => {
    await open(ada, 'flood')
    await shown(ada.panel.getByText('120 results'))
    const asked: string[] = []
    await ada.page.route('**/search?*', route => {
      asked.push(route.request().url())
      return route.abort()
    })
    await field(ada).fill('soak')
    await ada.panel.getByRole('button', { name: 'Older' }).click()
    await shown(ada.panel.getByText('No connection to the server.'))
    expect(asked.filter(url => url.includes('cursor='))).to.deep.equal([])
    await ada.page.unroute('**/search?*')
    await ada.button('Try again').click()
    await eventually(async () => expect((await texts(ada)).join()).to.not.include('flood'))
    expect((await texts(ada)).length).to.be.within(1, 3)
    await ada.button('Close search').click()
  })

  it('goes on by itself where the server ended a search early', async () => {
    await ada.page.route('**/search?*', async route => {
      const url = new URL(route.request().url())
      if (url.searchParams.has('cursor')) return route.continue()
      url.searchParams.set('limit', '1')
      const response = await route.fetch({ url: url.href })
      await route.fulfill({ response, json: { ...(await response.json()), complete: false } })
    })
    await open(ada, 'soak overnight')
    await eventually(async () => expect(await results(ada).count()).to.equal(3))
    await ada.page.unroute('**/search?*')
    await ada.button('Close search').click()
  })

  it('finds letters with accents and ß by plain ones, marks them, and asks once', async () => {
    const { page } = ada
    await ada.http.send('general', 'Die Übergabe liegt in der Großen Straße')
    const asked: string[] = []
    const answers = Promise.withResolvers<void>()
    await page.route('**/search?*', async route => {
      const { searchParams } = new URL(route.request().url())
      if (searchParams.get('q') === 'ubergabe') {
        asked.push(searchParams.get('cursor') ?? 'first page')
        await answers.promise
      }
      await route.continue()
    })
    await open(ada, 'ubergabe')
    await eventually(() => expect(asked).to.have.length(1))
    expect(await ada.panel.getByText('Nothing matches').count()).to.equal(0)
    answers.resolve()
    await expectTexts(ada, 'Die Übergabe liegt in der Großen Straße')
    expect(await results(ada).locator('mark').allInnerTexts()).to.deep.equal(['Übergabe'])
    await field(ada).fill('GROSSEN STRASSE')
    await eventually(async () =>
      expect(await results(ada).locator('mark').allInnerTexts()).to.deep.equal(['Großen', 'Straße']),
    )
    expect(asked).to.deep.equal(['first page'])
    await field(ada).fill('übergabe wörter')
    await shown(ada.panel.getByText('Nothing matches'))
    await page.unroute('**/search?*')
    await ada.button('Close search').click()
  })

  it('opens a hit in its place', async () => {
    await open(ada, 'from:tomasz overnight')
    await expectTexts(ada, 'the soak overnight went well', 'Overnight soak: 3 units dropped off')
    await ada.page.keyboard.press('ArrowDown')
    await ada.page.keyboard.press('Enter')
    await shown(ada.page.locator('article.is-flashing', { hasText: '3 units' }))
    await shown(results(ada))
    await ada.page.keyboard.press('Escape')
    await gone(ada.panel)
  })

  it('can be tried again after a failure', async () => {
    let isBroken = true
    await ada.page.route('**/search?*', route => (isBroken ? route.abort() : route.continue()))
    await open(ada, 'soak')
    await shown(ada.panel.getByText('No connection to the server.'))
    isBroken = false
    await ada.button('Try again').click()
    await shown(results(ada))
  })

  it('causes no page errors', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
