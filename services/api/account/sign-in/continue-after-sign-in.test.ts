import { expect } from 'chai'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the page after signing in (interface 11.1, security 4)', () => {
  let world: World
  let id: number
  before(async () => {
    world = await newWorld()
    id = await world.ada.send('general', 'look here')
  })
  after(() => world.end())

  const visitor = (name = 'visitor') => new Person(name, world.api[0]!.url)
  const locationOf = (response: Response) => [response.status, response.headers.get('Location')]
  const logIn = (next: Record<string, string>) =>
    visitor('bob').postForm('/login', { username: 'bob', password: PASSWORD, ...next })
  const nextIn = (page: string) => /name="next" value="([^"]*)"/.exec(page)?.[1]

  it('is the message whose address was opened without a session', async () => {
    const response = await visitor().fetch(`/m/${id}`)
    expect(locationOf(response)).to.deep.equal([302, `/login?next=${encodeURIComponent(`/m/${id}`)}`])
    const page = await (await visitor().fetch(response.headers.get('Location')!)).text()
    expect(nextIn(page)).to.equal(`/m/${id}`)
    expect(page).to.include(`href="/signup?next=${encodeURIComponent(`/m/${id}`)}"`)
    expect(locationOf(await logIn({ next: nextIn(page)! }))).to.deep.equal([302, `/m/${id}`])
  })

  it('is a channel in the fragment, also for a new account and after a wrong password', async () => {
    const next = '/#/c/general/m/5'
    expect(locationOf(await logIn({ next }))).to.deep.equal([302, next])
    const wrong = await visitor('cleo').postForm('/login', { username: 'cleo', password: 'x', next })
    expect(nextIn(await wrong.text())).to.equal(next)
    const credentials = { username: 'newcomer', password: PASSWORD, confirm_password: 'other', next }
    const unmet = await (await visitor().postForm('/signup', credentials)).text()
    expect(nextIn(unmet)).to.equal(next)
    const made = await visitor().postForm('/signup', { ...credentials, confirm_password: PASSWORD })
    expect(locationOf(made)).to.deep.equal([302, next])
  })

  it('is never on another server', async () => {
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example',
      '/.//evil',
    ])
      expect(locationOf(await logIn({ next })), next).to.deep.equal([302, '/'])
    for (const query of [
      'next=//evil.example',
      'next=/%5Cevil.example',
      'next=/%09/evil.example',
      'next=a&next=//b',
    ]) {
      const page = await (await visitor().fetch(`/login?${query}`)).text()
      expect(nextIn(page), query).to.equal('/')
      expect(locationOf(await world.ada.fetch(`/login?${query}`)), query).to.deep.equal([302, '/'])
    }
  })

  it('is escaped in the form', async () => {
    const page = await (await visitor().fetch(`/login?next=${encodeURIComponent('/"><script>x')}`)).text()
    expect(page).to.not.include('<script>x')
  })

  it('is the start page without one, and signing out is no page to continue with', async () => {
    expect(locationOf(await logIn({}))).to.deep.equal([302, '/'])
    expect(locationOf(await logIn({ next: '/logout' }))).to.deep.equal([302, '/'])
    expect(locationOf(await visitor().fetch('/channels'))).to.deep.equal([302, '/login'])
  })
})
