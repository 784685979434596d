import { expect } from 'chai'
import type { MessagePayload, RepliesCount, RepliesPayload } from '#shared/domain/payloads.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('replies (interface 10.8)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
  })
  after(() => world.end())

  const answer = (person: Person, channel: string, parent: number, text: string) =>
    person.send(channel, text, { reply_to_id: String(parent) })
  const counts = (person: Person, channel: string, ids: number[]) =>
    person.get<Record<string, RepliesCount>>(`/reply_counts/${channel}?ids=${ids}`)

  it('are counted for the messages that have some', async () => {
    const { ada, bob, cleo, mallory } = world
    const asked = await ada.send('general', 'who is in?')
    const other = await ada.send('general', 'no answers')
    await answer(mallory, 'general', asked, 'me')
    await answer(cleo, 'general', asked, 'me')
    await answer(ada, 'general', asked, 'me')
    const gone = await answer(bob, 'general', asked, 'not me')
    const last = await answer(bob, 'general', asked, 'me after all')
    await bob.delete(gone)
    const found = await counts(bob, 'general', [asked, other, 999_999])
    const { ts } = (await ada.messages('general')).find(row => row.id === last)!
    expect(found).to.deep.equal({
      [asked]: { count: 4, last_id: last, last_ts: ts, people: ['bob', 'ada', 'cleo'] },
    })
  })

  it('are listed oldest first, in pages, without deleted ones', async () => {
    const { ada, bob } = world
    const parent = await ada.send('general', 'count to five')
    const sent: number[] = []
    for (let at = 1; at <= 6; at++) sent.push(await answer(bob, 'general', parent, String(at)))
    await bob.delete(sent.pop()!)
    const pages: RepliesPayload[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next)
      pages.push(await ada.get(`/replies/${parent}?limit=2${cursor && `&cursor=${cursor}`}`))
    expect(pages.map(page => page.items.map(row => row.id))).to.deep.equal([
      sent.slice(0, 2),
      sent.slice(2, 4),
      sent.slice(4),
    ])
    const rows = (await ada.get<MessagePayload[]>('/messages/general?extra=1')).filter(
      row => row.reply_to_id === parent && row.deleted === 0,
    )
    expect(pages.flatMap(page => page.items)).to.deep.equal(rows)
  })

  it('are for readers of the message', async () => {
    const { ada, bob, mallory } = world
    const den = await world.privateChannel('den', [ada, bob])
    const parent = await ada.send(den, 'between us')
    await answer(bob, den, parent, 'sure')
    expect((await mallory.fetch(`/replies/${parent}`)).status).to.equal(404)
    expect((await mallory.fetch(`/reply_counts/${den}?ids=${parent}`)).status).to.equal(403)
    expect(await counts(mallory, 'general', [parent]), 'of another channel').to.deep.equal({})
    const dora = await world.lateJoiner(den, ada)
    await answer(ada, den, parent, 'with dora')
    expect((await dora.fetch(`/replies/${parent}`)).status, 'older than her history').to.equal(404)
    expect(await counts(dora, den, [parent])).to.deep.equal({})
  })
})
