import { expect } from 'chai'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const HTML = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

describe('an error in the address bar (interface 7)', () => {
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  const open = (path: string, headers: Record<string, string> = {}) =>
    world.ada.fetch(path, { headers: { ...HTML, ...headers } })

  it('is a page with a sentence and a way on, with the status of the interface', async () => {
    for (const path of ['/nonsense', '/files/nothing.png', '/avatar/nobody']) {
      const response = await open(path)
      const page = await response.text()
      expect(response.status, path).to.equal(404)
      expect(response.headers.get('Content-Type'), path).to.include('text/html')
      expect(page, path).to.include('<h1>There is nothing at this address</h1>')
      expect(page, path).to.match(/<a class="button[^>]* href="\/">Back to the chat<\/a>/)
    }
  })

  it('is in the language of the browser', async () => {
    const page = await (await open('/nonsense', { 'Accept-Language': 'de' })).text()
    expect(page).to.include('<h1>Unter dieser Adresse ist nichts</h1>')
  })

  it('stays the text of the interface for all other requests', async () => {
    for (const headers of [{}, { Accept: '*/*' }, { ...HTML, 'Sec-Fetch-Dest': 'image' }]) {
      const response = await world.ada.fetch('/nonsense', { headers })
      expect([response.status, await response.text()]).to.deep.equal([404, 'not found'])
    }
  })

  it('tells a visitor without a session to try later when there were too many requests', async () => {
    world.backing.settings({ rate_limits: { login: [1, 3_600] } })
    const { url } = world.api[0]!
    const logIn = () => fetch(`${url}/login`, { method: 'POST', headers: HTML, body: new URLSearchParams() })
    let response = await logIn()
    while (response.status !== 429) response = await logIn()
    expect(Number(response.headers.get('Retry-After'))).to.be.greaterThan(0)
    const page = await response.text()
    expect(page).to.include('<h1>Too many attempts</h1>')
    expect(page).to.not.include('too many requests')
  })
})
