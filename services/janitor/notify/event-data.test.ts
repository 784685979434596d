import { expect } from 'chai'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { readEvents } from './event-data.ts'

describe('the data of events (interface 19.5)', () => {
  let world: World
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    stores = await storesOf(world.backing)
  })
  after(async () => {
    await stores?.stop()
    await world?.end()
  })

  const filesOf = async (response: Response) => {
    expect(response.status).to.equal(200)
    const message = Number(response.headers.get('X-Message-Id'))
    const [event] = await readEvents(stores.db, [{ id: 1, kind: 'message.created', ref: { message }, ts: 0 }])
    return (event!.data['files'] as string[]).map(file => file.replace(/^.*_/, ''))
  }
  const files = ['a', 'b', 'c'].map(name => ({ name: `${name}.txt`, bytes: name }))

  it('names all files of a send, with a text and without, and those of no other', async () => {
    const { bob } = world
    const sends: Record<string, string>[] = [{ text: 'three' }, {}, { text: 'one more' }]
    const responses = await Promise.all(sends.map(fields => bob.sendFiles('general', files, fields)))
    for (const response of responses)
      expect(await filesOf(response)).to.deep.equal(['a.txt', 'b.txt', 'c.txt'])
    expect(await filesOf(await bob.sendFiles('general', files.slice(0, 1)))).to.deep.equal(['a.txt'])
    expect(await filesOf(await bob.postForm('/send/general', { text: 'none' }))).to.deep.equal([])
  })
})
