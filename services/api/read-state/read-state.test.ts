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

  it('is the business of those who can read the channel', async () => {
    await world.ada.send('dm:ada:bob', 'hi')
    expect((await world.mallory.markRead('dm:ada:bob')).status).to.equal(403)
    expect((await world.mallory.fetch('/read_receipts/dm:ada:bob')).status).to.equal(403)
  })
})
