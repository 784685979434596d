import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('addresses of messages (interface 10)', () => {
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  it('lead a reader to the message in its channel (messages A1)', async () => {
    const channel = await world.privateChannel('den', [world.ada, world.bob])
    for (const [place, id] of [
      ['#/c/general', await world.ada.send('general', 'here')],
      ['#/d/ada,bob', await world.ada.send('dm:ada:bob', 'for two')],
      [`#/p/${channel.slice('private:'.length)}`, await world.ada.send(channel, 'for members')],
    ] as const) {
      const response = await world.bob.fetch(`/m/${id}`)
      expect([response.status, response.headers.get('Location')]).to.deep.equal([302, `/${place}/m/${id}`])
    }
  })

  it('are not found by others, late joiners included (messages A1)', async () => {
    const channel = await world.privateChannel('attic', [world.ada, world.bob])
    const id = await world.ada.send(channel, 'before dora')
    const dora = await world.lateJoiner(channel, world.ada)
    for (const person of [world.mallory, dora]) {
      expect((await person.fetch(`/m/${id}`)).status).to.equal(404)
      expect((await person.fetch(`/message/${id}?full=1`)).status).to.equal(404)
    }
    for (const bad of ['0', '-1', 'x', '999999999', '1e3', '%00', '9'.repeat(40)])
      expect((await world.ada.fetch(`/m/${bad}`)).status, bad).to.equal(404)
  })

  it('without a session lead to the sign-in page, whether the message exists or not (messages A1)', async () => {
    for (const id of [1, 999_999_999]) {
      const response = await fetch(`${world.api[0]!.url}/m/${id}`, { redirect: 'manual' })
      expect(response.headers.get('Location')).to.equal(`/login?next=%2Fm%2F${id}`)
    }
    const response = await fetch(`${world.api[0]!.url}/m/x`, { redirect: 'manual' })
    expect(response.headers.get('Location')).to.equal('/login')
  })

  it('have the whole message beside the five fields of the base', async () => {
    const id = await world.ada.send('general', 'whole')
    await world.bob.react(id, 'tada')
    const rows = await world.bob.messages('general')
    const row = rows.find(one => one.id === id)
    expect(await world.bob.get<MessagePayload>(`/message/${id}?full=1`)).to.deep.equal(row)
    expect(Object.keys(await world.bob.get<object>(`/message/${id}`))).to.deep.equal([
      'id',
      'sender',
      'content',
      'filename',
      'deleted',
    ])
    await world.ada.delete(id)
    expect(await world.bob.get<MessagePayload>(`/message/${id}?full=1`)).to.include({
      content: null,
      deleted: 1,
    })
  })
})
