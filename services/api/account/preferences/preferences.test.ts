import { expect } from 'chai'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { SeenPayload } from '#shared/domain/payloads/messages.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('preferences (interface 16.2)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2 })
  })
  after(() => world.end())

  it('are the defaults until something is chosen, and after null', async () => {
    expect(await world.ada.get('/preferences')).to.deep.include({ share_read: true, fold_replies: false })
    expect((await world.ada.prefer({ fold_replies: 'yes' })).status).to.equal(400)
    expect((await world.ada.prefer({ share_read: false })).status).to.equal(204)
    expect(await world.ada.get('/preferences')).to.deep.include({ share_read: false })
    expect((await world.ada.get<MePayload>('/me')).preferences_rev).to.not.equal(0)
    expect((await world.ada.prefer({ owner_card: false })).status).to.equal(204)
    expect(await world.ada.get('/preferences')).to.deep.include({ share_read: false, owner_card: false })
    expect((await world.ada.prefer({ owner_card: 'no' })).status).to.equal(400)
    expect((await world.ada.prefer({})).status).to.equal(204)
    expect(await world.ada.get('/preferences')).to.deep.include({ share_read: false })
    expect((await world.ada.prefer({ share_read: null })).status).to.equal(204)
    expect(await world.ada.get('/preferences')).to.deep.include({ share_read: true })
  })

  it('hide from others what a person has read, while the person’s own counts go on', async () => {
    const { ada, bob, cleo } = world
    const id = await ada.send('general', 'who has seen this?')
    await bob.markRead('general')
    await cleo.markRead('general')
    await bob.prefer({ share_read: false })
    expect(await ada.get('/read_receipts/general'))
      .to.have.any.keys('cleo')
      .and.not.have.any.keys('bob')
    expect(await ada.get<SeenPayload>(`/seen/${id}`)).to.deep.include({ count: 1, names: ['cleo'] })
    expect(await bob.get('/read_receipts/general?most=50'), 'the own watermark').to.have.any.keys('bob')
    await ada.send('general', 'one more')
    expect((await bob.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(1)
    await bob.markRead('general')
    expect((await bob.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(0)
    await bob.prefer({ share_read: true })
    expect((await ada.get<SeenPayload>(`/seen/${id}`)).names).to.include('bob')
  })
})
