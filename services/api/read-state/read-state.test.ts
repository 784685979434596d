import { expect } from 'chai'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('read state (interface 2.5, 4.3)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2 })
  })
  after(() => world.end())

  const receipts = () => world.ada.get<Record<string, number>>('/read_receipts/general')

  it('moves the watermark to the newest message, and the sender’s to what they send', async () => {
    const id = await world.ada.send('general', 'read me')
    const { ts } = (await world.ada.messages('general')).find(row => row.id === id)!
    expect((await receipts())['ada']).to.equal(ts)
    expect((await receipts())['bob']).to.be.lessThan(ts)
    await world.bob.markRead('general')
    expect((await receipts())['bob']).to.equal(ts)
  })

  it('never moves back, however many calls race with sends on two processes', async () => {
    let highest = 0
    for (let i = 0; i < 10; i++) {
      await Promise.all([
        world.ada.send('general', `race ${i}`),
        world.bob.markRead('general'),
        world.bob.markRead('general'),
      ])
      const mark = (await receipts())['bob']!
      expect(mark).to.be.at.least(highest)
      highest = mark
    }
    await world.bob.markRead('general')
    expect((await world.bob.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(0)
  })

  it('names the caller alone in a channel with more readers than they want named', async () => {
    const own = { ada: (await receipts())['ada'] }
    expect(await world.ada.get('/read_receipts/general?most=3')).to.deep.equal(own)
    expect(await world.ada.get('/read_receipts/general?most=4')).to.deep.equal(await receipts())
    expect(await world.ada.get('/read_receipts/general?most=many')).to.deep.equal(await receipts())
    expect(await world.ada.get('/read_receipts/general?most=1e99')).to.deep.equal(await receipts())
    await world.ada.send('dm:ada:bob', 'between us')
    await world.bob.markRead('dm:ada:bob')
    expect(await world.ada.get('/read_receipts/dm:ada:bob?most=1')).to.have.all.keys('ada')
    expect(await world.ada.get('/read_receipts/dm:ada:bob?most=2')).to.have.all.keys('ada', 'bob')
    const made = await world.ada.postJson('/private_channels/create', { name: 'den', members: ['bob'] })
    const { channel } = (await made.json()) as { channel: string }
    await world.ada.send(channel, 'in the den')
    expect(await world.ada.get(`/read_receipts/${channel}?most=1`)).to.have.all.keys('ada')
    expect((await world.mallory.fetch(`/read_receipts/${channel}?most=1`)).status).to.equal(403)
  })

  it('is the business of those who can read the channel', async () => {
    await world.ada.send('dm:ada:bob', 'hi')
    expect((await world.mallory.markRead('dm:ada:bob')).status).to.equal(403)
    expect((await world.mallory.fetch('/read_receipts/dm:ada:bob')).status).to.equal(403)
  })
})
