import { expect } from 'chai'
import type { LinkedMessagesPayload, MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('addresses of messages (interface 11.1)', () => {
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  it('lead a reader to the message in its channel', async () => {
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

  it('are not found by others, late joiners included', async () => {
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

  it('without a session lead to the sign-in page, whether the message exists or not', async () => {
    for (const id of [1, 999_999_999]) {
      const response = await fetch(`${world.api[0]!.url}/m/${id}`, { redirect: 'manual' })
      expect(response.headers.get('Location')).to.equal(`/login?next=%2Fm%2F${id}`)
    }
    const response = await fetch(`${world.api[0]!.url}/m/x`, { redirect: 'manual' })
    expect(response.headers.get('Location')).to.equal('/login')
  })

  it('are asked for together, and only what changed comes back', async () => {
    const { ada, bob, mallory } = world
    const board = await world.privateChannel('board', [ada, bob])
    const ids = [
      await ada.send('general', 'one'),
      await ada.send('dm:ada:bob', 'two'),
      await ada.send(board, 'three'),
    ]
    const dora = await world.lateJoiner(board, ada)
    const ask = (person: Person, asked: (string | number)[]) =>
      person.get<LinkedMessagesPayload>(`/linked_messages?ids=${asked.join()}`)
    const first = await ask(bob, [...ids, 999_999])
    const marks = ids.map(id => `${id}-${first.items.find(({ message }) => message.id === id)!.mark}`)
    for (const { message } of first.items)
      expect(message).to.deep.equal(await bob.get(`/message/${message.id}?full=1&extra=1`))
    expect(first.unreadable).to.deep.equal([999_999])
    expect(await ask(bob, marks)).to.deep.equal({ items: [], unreadable: [] })
    for (const person of [mallory, dora])
      expect((await ask(person, marks)).unreadable, person.name).to.deep.equal([ids[1], ids[2]])

    const changed = async () => (await ask(bob, marks)).items.map(({ message }) => message.id)
    await bob.react(ids[1]!, 'tada')
    expect(await changed()).to.deep.equal([ids[1]])
    await bob.send('general', 'a reply', { reply_to_id: String(ids[0]) })
    await ada.delete(ids[2]!)
    expect(await changed()).to.have.members(ids)
    for (const bad of [
      '',
      'x',
      '1,',
      '-1',
      '1-',
      `1-${'a'.repeat(21)}`,
      Array(51)
        .fill(0)
        .map((_, i) => i + 1)
        .join(),
    ]) {
      const response = await bob.fetch(`/linked_messages?ids=${bad}`)
      expect([response.status, await response.json()], bad).to.deep.equal([
        400,
        { error: 'ids must be 1 to 50 message ids', code: 'invalid' },
      ])
    }
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
