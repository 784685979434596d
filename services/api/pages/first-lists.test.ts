import { expect } from 'chai'
import type { FirstListsPayload } from '#shared/domain/payloads/client.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the lists in the page of the client (ui.md 6.1)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    await world.ada.send('design', 'for everybody')
    await world.cleo.send('dm:ada:bob:cleo', 'for the three of us')
    await world.bob.postJson('/private_channels/create', { name: '</script><b>den', members: ['ada'] })
  })
  after(() => world.end())

  const pageOf = async (who: Person) => (await who.fetch('/')).text()
  /** A page that is not ready in time has no lists. */
  const listsFor = (who: Person) => eventually(async () => listsOf(await pageOf(who)))
  const listsOf = (page: string): FirstListsPayload =>
    JSON.parse(/<script type="application\/json" id="lists">(.*?)<\/script>/s.exec(page)![1]!)

  it('equal the responses of the endpoints to the same user', async () => {
    for (const who of [world.ada, world.bob, world.cleo, world.mallory]) {
      const lists = await listsFor(who)
      expect(lists, who.name).to.deep.equal({
        channels: await who.get('/channels'),
        private_channels: await who.get('/private_channels'),
        dms: await who.get('/dms'),
        channel_unreads: await who.get('/channel_unreads'),
        sidebar: await who.get('/sidebar'),
        workspace: await who.get('/workspace'),
        me: await who.get('/me'),
      })
    }
    expect((await listsFor(world.bob)).private_channels).to.have.length(1)
    expect(await pageOf(world.mallory)).to.not.include('b>den')
  })

  it('cannot be ended by a name in them', async () => {
    const page = await pageOf(world.ada)
    expect(listsOf(page).private_channels[0]!.name).to.equal('</script><b>den')
    expect(page).to.not.include('<b>den')
  })

  it('are in no page without a session', async () => {
    const response = await fetch(`${world.api[0]!.url}/`)
    expect(new URL(response.url).pathname).to.equal('/login')
    expect(await response.text()).to.not.include('id="lists"')
  })
})
