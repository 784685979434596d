import { expect } from 'chai'
import type { ChannelId } from '#shared/domain/units.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const RACES = 40

describe('writes about a private channel at once (architecture 4.1)', function () {
  this.timeout(300_000)
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2 })
  })
  after(() => world.end())

  const path = (channel: ChannelId) => channel.replace('private:', '/private_channels/')
  const remove = (by: Person, channel: ChannelId, username: string) =>
    by.postJson(`${path(channel)}/remove_member`, { username })

  /** A deadlock is a 503 for one of both. */
  async function race(pair: (channel: ChannelId) => Promise<Response>[], expected: number[]) {
    const { ada, bob, cleo } = world
    for (let number = 0; number < RACES; number++) {
      const channel = await world.privateChannel(`den ${number}`, [ada, bob, cleo])
      const made = await ada.fetch(`/channel_info/${channel}/managers/bob`, { method: 'PUT' })
      expect(made.status).to.equal(204)
      for (const { status } of await Promise.all(pair(channel))) expect(expected).to.include(status)
    }
  }

  it('answer a manager who leaves, and who takes the right from them', async () => {
    const { ada, bob } = world
    await race(
      channel => [
        bob.leave(channel),
        ada.fetch(`/channel_info/${channel}/managers/bob`, { method: 'DELETE' }),
      ],
      [204, 404],
    )
  })

  it('answer two managers who remove each other', async () => {
    const { ada, bob } = world
    await race(channel => [remove(ada, channel, 'bob'), remove(bob, channel, 'ada')], [204, 403, 404])
  })
})
