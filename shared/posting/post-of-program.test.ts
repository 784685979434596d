import { expect } from 'chai'
import { readableChannel } from '#shared/access/readable-channel.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { ofProgram, type ProgramPost, postOfProgram } from './post-of-program.ts'

describe('a post of a program', () => {
  let world: World
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], max_message_chars: 100_000 } })
    stores = await storesOf(world.backing)
  })
  after(async () => {
    await stores.stop()
    await world.end()
  })

  const post = async (draft: Partial<ProgramPost>) =>
    postOfProgram(stores, 'ada', await readableChannel(stores, 'ada', 'general'), {
      text: 'hello',
      mayMentionEveryone: false,
      ...draft,
    })
  const row = async (id: number) => {
    const { rows } = await stores.pool.query('select mentions, extra from messages where id = $1', [id])
    return rows[0]
  }

  it('has its name, emoji and cards, which an edit drops', async () => {
    const cards = [{ title: 'full', color: 'danger' }]
    const bot = { name: 'ci', emoji: 'tada', hook_id: 7 }
    const { id } = await post({ text: 'Disk\n\nfull', cards, cardsAt: 6, bot })
    expect((await row(id)).extra).to.deep.equal({ bot, cards, cards_at: 6 })
    expect((await world.ada.edit(id, 'Disk')).status).to.equal(200)
    expect((await row(id)).extra).to.deep.equal({ bot })
  })

  it('leaves out cards over 32 KiB', async () => {
    const { id } = await post({ cards: [{ text: 'x'.repeat(33_000) }], cardsAt: 0 })
    expect((await row(id)).extra).to.equal(null)
  })

  it('has a name and an emoji of one line, and storable texts, whatever the sender gave', async () => {
    const bot = { name: `a\u202eb\n${'n'.repeat(90)}`, emoji: 'e'.repeat(200_000), hook_id: 7 }
    const cards = [{ title: 'half \ud83c', fields: [{ value: '\udf89' }] }]
    const { extra } = await row((await post({ bot, cards, cardsAt: 0 })).id)
    expect(extra.bot.name)
      .to.match(/^ab n+…$/)
      .and.have.length(80)
    expect(extra.bot.emoji).to.have.length(80)
    expect(extra.bot.hook_id).to.equal(7)
    expect(extra.cards).to.deep.equal([{ title: 'half \ufffd', fields: [{ value: '\ufffd' }] }])
    expect(ofProgram({ bot: { name: '\u202e' } })).to.deep.equal({})
  })

  it('mentions everyone by right alone, and groups and everyone not where it names people only', async () => {
    const mentions = async (draft: Partial<ProgramPost>) => {
      const { id } = await post({ text: '@everyone @bob', ...draft })
      return JSON.parse((await row(id)).mentions)
    }
    expect(await mentions({})).to.deep.equal(['bob'])
    expect(await mentions({ mayMentionEveryone: true })).to.deep.equal(['@everyone'])
    expect(await mentions({ mayMentionEveryone: true, isToPeopleOnly: true })).to.deep.equal(['bob'])
  })

  it('is one message for a client id, and a reply to a message of the channel', async () => {
    const clientId = crypto.randomUUID()
    const sent = await Promise.all(Array.from({ length: 8 }, () => post({ clientId })))
    expect(new Set(sent.map(({ id }) => id)).size).to.equal(1)
    const { id } = await post({ replyTo: sent[0]!.id })
    const { rows } = await stores.pool.query('select reply_to_id from messages where id = $1', [id])
    expect(Number(rows[0].reply_to_id)).to.equal(sent[0]!.id)
  })

  it('is refused where the text is empty or too long', async () => {
    for (const text of ['', 'x'.repeat(100_001)])
      expect(await post({ text }).catch((err: unknown) => err)).to.be.instanceOf(HttpError)
  })
})
