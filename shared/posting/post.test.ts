import { expect } from 'chai'
import { readableChannel } from '#shared/access/readable-channel.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { postText } from './post.ts'

describe('posting without a request', () => {
  let world: World
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    stores = await storesOf(world.backing)
  })
  after(async () => {
    await stores.stop()
    await world.end()
  })

  const post = async (channel: string, text: string, clientId?: string) =>
    postText(stores, 'ada', await readableChannel(stores, 'ada', channel), {
      text,
      replyTo: undefined,
      clientId,
    })

  it('sends a text as the person once for each client id, with its mentions', async () => {
    const clientId = crypto.randomUUID()
    const [first, second] = await Promise.all([
      post('general', 'hello @bob', clientId),
      post('general', 'hello @bob', clientId),
    ])
    expect(second.id).to.equal(first.id)
    expect((await post('general', 'hello @bob', clientId)).id).to.equal(first.id)
    const rows = (await world.bob.messages('general')).filter(row => row.sender === 'ada')
    expect(rows.map(row => [row.id, row.content, row.mentions])).to.deep.equal([
      [first.id, 'hello @bob', '["bob"]'],
    ])
  })

  it('refuses texts that /send refuses, and people who may not write there', async () => {
    const refused = async (work: Promise<unknown>) => {
      const outcome = await work.then(
        () => 'sent',
        (err: unknown) => err,
      )
      expect(outcome).to.be.instanceOf(HttpError)
    }
    await refused(post('general', ''))
    await refused(post('general', 'x'.repeat(10_001)))
    await refused(post('dm:ada,nobody-here', 'hello'))
    const den = await world.privateChannel('den', [world.bob, world.cleo])
    await refused(post(den, 'hello'))
  })
})
