import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { InboxItem, InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the inbox (interface 14.2)', () => {
  let world: World
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  beforeEach(async () => {
    for (const person of [world.ada, world.bob, world.cleo]) {
      await person.postJson('/inbox/read', { upto: Date.now() / 1_000 + 1 })
    }
  })

  const inboxOf = (person: Person, query = '') => person.get<InboxPayload>(`/inbox${query}`)
  const unreadOf = async (person: Person) => (await inboxOf(person)).unread
  const itemOf = async (person: Person, messageId: number): Promise<InboxItem | undefined> =>
    (await inboxOf(person)).items.find(item => item.message_id === messageId)
  const read = (person: Person, body: unknown) => person.postJson('/inbox/read', body)

  it('keeps a mention after it was read', async () => {
    const id = await world.bob.send('general', 'question for @ada')
    const before = (await itemOf(world.ada, id))!
    expect(before).to.deep.include({
      id: `m${id}`,
      kind: 'mention',
      channel: 'general',
      actors: ['bob'],
      count: 1,
      content: 'question for @ada',
      root_id: null,
      read: false,
    })
    expect(await unreadOf(world.ada)).to.equal(1)
    await world.ada.markRead('general')
    expect(await itemOf(world.ada, id)).to.deep.equal({ ...before, read: true })
    expect(await unreadOf(world.ada)).to.equal(0)
  })

  it('lists @everyone for all readers but the sender', async () => {
    const id = await world.bob.send('design', 'lunch, @everyone')
    expect((await itemOf(world.ada, id))?.read).to.equal(false)
    expect(await itemOf(world.bob, id)).to.equal(undefined)
  })

  it('lists a direct reply for the author of the parent', async () => {
    const parent = await world.ada.send('general', 'who reviews this?')
    const id = await world.bob.send('general', 'I do', { reply_to_id: String(parent) })
    expect(await itemOf(world.ada, id)).to.deep.include({
      kind: 'reply',
      root_id: parent,
      actors: ['bob'],
      content: 'I do',
      read: false,
    })
    expect(await unreadOf(world.ada)).to.equal(1)
    expect(await itemOf(world.cleo, id)).to.equal(undefined)
    await world.ada.send('general', 'my own', { reply_to_id: String(parent) })
    expect(await unreadOf(world.ada), 'sending reads the channel').to.equal(0)
  })

  it('lists a reply that mentions the author as a mention only', async () => {
    const parent = await world.ada.send('general', 'once')
    const id = await world.bob.send('general', '@ada, twice?', { reply_to_id: String(parent) })
    const items = (await inboxOf(world.ada)).items.filter(item => item.message_id === id)
    expect(items.map(item => item.kind)).to.deep.equal(['mention'])
    expect(await unreadOf(world.ada)).to.equal(1)
    await world.bob.edit(id, 'without the name')
    expect((await itemOf(world.ada, id))?.kind).to.equal('reply')
  })

  it('counts a send of a text and images as one reply', async () => {
    const parent = await world.ada.send('general', 'pictures?')
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const images = ['a.png', 'b.png'].map(name => ({ name, bytes }))
    await world.bob.sendImages('general', images, 'here', { reply_to_id: String(parent) })
    const replies = (await inboxOf(world.ada)).items.filter(item => item.root_id === parent)
    expect(replies.map(item => [item.content, item.is_file])).to.deep.equal([['here', undefined]])
  })

  it('names the file of a reply without text', async () => {
    const parent = await world.ada.send('general', 'the minutes?')
    await world.bob.sendFiles('general', [{ name: 'minutes_of_May.pdf', bytes: '%PDF-1.4' }], {
      reply_to_id: String(parent),
    })
    const replies = (await inboxOf(world.ada)).items.filter(item => item.root_id === parent)
    expect(replies.map(item => [item.content, item.is_file])).to.deep.equal([['minutes_of_May.pdf', true]])
  })

  it('gathers the reactions to a message in one item, which channel reading does not mark as read', async () => {
    const id = await world.ada.send('general', 'shipped')
    await world.bob.react(id, 'tada')
    await world.cleo.react(id, 'tada')
    await world.cleo.react(id, 'heart')
    await world.ada.react(id, 'heart')
    const item = (await itemOf(world.ada, id))!
    expect(item).to.deep.include({ kind: 'reaction', actors: ['cleo', 'bob'], count: 2, read: false })
    expect(await unreadOf(world.ada), 'reactions do not count').to.equal(0)
    await read(world.ada, { ids: [item.id] })
    expect((await itemOf(world.ada, id))?.read).to.equal(true)
    await world.bob.react(id, 'thumbsup')
    expect((await itemOf(world.ada, id))?.read, 'a later reaction is unread').to.equal(false)
    await world.bob.react(id, 'thumbsup')
    expect((await itemOf(world.ada, id))?.read, 'and no longer, once taken back').to.equal(true)
    for (const emoji of ['tada', 'heart']) await world.cleo.react(id, emoji)
    await world.bob.react(id, 'tada')
    expect(await itemOf(world.ada, id)).to.equal(undefined)
  })

  it('marks items as read by id, without reading their channel', async () => {
    const [first, second] = [
      await world.bob.send('design', 'one @ada'),
      await world.bob.send('design', 'two @ada'),
    ]
    expect((await read(world.ada, { ids: [`m${first}`] })).status).to.equal(204)
    expect([(await itemOf(world.ada, first))?.read, (await itemOf(world.ada, second))?.read]).to.deep.equal([
      true,
      false,
    ])
    expect(await unreadOf(world.ada)).to.equal(1)
    expect((await inboxOf(world.ada, '?unread=1')).items.map(item => item.message_id)).to.deep.equal([second])
    expect((await world.ada.get<Record<string, number>>('/channel_unreads'))['design']).to.be.at.least(2)
  })

  it('marks nothing of others, and nothing that the person may not read', async () => {
    const id = await world.bob.send('dm:bob:cleo', 'for @cleo')
    await read(world.mallory, { ids: [`m${id}`] })
    const { rows } = await db.query('select from activity where username = $1', ['mallory'])
    expect(rows).to.have.length(0)
    const parent = await world.ada.send('general', 'mine')
    const reply = await world.bob.send('general', 'yours', { reply_to_id: String(parent) })
    const { id: item } = (await itemOf(world.ada, reply))!
    await read(world.mallory, { ids: [item] })
    expect((await itemOf(world.ada, reply))?.read).to.equal(false)
  })

  it('is returned in pages, newest first, by kind', async () => {
    const parent = await world.cleo.send('general', 'many answers')
    const sent: number[] = []
    for (let at = 0; at < 7; at++) {
      sent.push(
        at % 2 === 0
          ? await world.bob.send('general', `answer ${at}`, { reply_to_id: String(parent) })
          : await world.bob.send('design', `mention ${at} @cleo`),
      )
    }
    const pages: InboxPayload[] = []
    for (let cursor: string | null = ''; cursor !== null && pages.length < 50; cursor = pages.at(-1)!.next) {
      pages.push(await inboxOf(world.cleo, `?limit=2${cursor && `&cursor=${cursor}`}`))
    }
    const all = pages.flatMap(page => page.items)
    expect(all.slice(0, 7).map(item => item.message_id)).to.deep.equal(sent.toReversed())
    expect(new Set(all.map(item => item.id)).size).to.equal(all.length)
    expect(all).to.deep.equal((await inboxOf(world.cleo, '?limit=200')).items)
    const replies = await inboxOf(world.cleo, '?kind=reply&limit=3')
    expect(replies.items.map(item => item.content)).to.deep.equal(['answer 6', 'answer 4', 'answer 2'])
    expect(replies.next).to.be.a('string')
  })

  it('hides what the person may no longer read, and what was deleted', async () => {
    const den = await world.privateChannel('den', [world.bob, world.ada])
    await world.bob.send(den, 'psst @ada')
    const own = await world.ada.send(den, 'yes?')
    const reply = await world.bob.send(den, 'come', { reply_to_id: String(own) })
    await world.bob.react(own, 'tada')
    const shown = async () => (await inboxOf(world.ada)).items.filter(item => item.channel === den)
    expect((await shown()).map(item => item.kind)).to.have.members(['mention', 'reply', 'reaction'])
    await world.bob.delete(reply)
    expect(await itemOf(world.ada, reply)).to.equal(undefined)
    await world.ada.leave(den)
    expect(await shown()).to.deep.equal([])
    await world.bob.addMember(den, 'ada')
    expect(await shown(), 'the history of a new member begins anew').to.deep.equal([])
  })

  it('refuses what it cannot understand with a sentence and a code', async () => {
    for (const query of ['?kind=all', '?unread=yes', '?limit=0', '?limit=201', '?cursor=x', '?cursor=1_']) {
      const response = await world.ada.fetch(`/inbox${query}`)
      expect(response.status, query).to.equal(400)
      expect(await response.json()).to.include({ code: 'invalid' })
    }
    for (const body of [
      { ids: 'm1' },
      { ids: [1] },
      { ids: Array(201).fill('m1') },
      { upto: '1' },
      { upto: null },
    ]) {
      const response = await read(world.ada, body)
      expect(response.status).to.equal(400)
      expect(await response.json()).to.include({ code: 'invalid' })
    }
    expect(await (await read(world.ada, {})).json()).to.include({ code: 'required' })
  })

  it('counts and lists exactly what a reading of all messages finds', async () => {
    const { ada, bob, cleo } = world
    const people = [ada, bob, cleo]
    const sent: { id: number; channel: string }[] = []
    let seed = 7
    const dice = (sides: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % sides
    }
    for (let step = 0; step < 60; step++) {
      const person = people[dice(3)]!
      const channel = ['general', 'design', 'dm:ada:bob:cleo'][dice(3)]!
      const parents = sent.filter(one => one.channel === channel)
      const parent = parents[dice(parents.length || 1)]
      const act = dice(6)
      if (act < 3) {
        const text = `step ${step} ${['', '@ada', '@bob', '@everyone'][dice(4)]!}`
        const fields = parent && dice(2) === 0 ? { reply_to_id: String(parent.id) } : undefined
        sent.push({ id: await person.send(channel, text, fields), channel })
      } else if (act === 3 && parent) await person.react(parent.id, ['tada', 'heart'][dice(2)]!)
      else if (act === 4) await person.markRead(channel)
      else
        await person.postJson('/inbox/read', {
          ids: (await inboxOf(person)).items.slice(0, 1).map(one => one.id),
        })
    }
    for (const person of people) {
      const { items, unread } = await inboxOf(person, '?limit=200')
      expect(items.map(item => `${item.kind} ${item.message_id}`)).to.deep.equal(
        await naiveItems(person.name),
      )
      expect(unread).to.equal(items.filter(item => !item.read && item.kind !== 'reaction').length)
    }
  })

  /** Kind and message of every item of a person, newest first, read from the base tables. */
  async function naiveItems(name: string): Promise<string[]> {
    const { rows } = await db.query<{ item: string }>(
      `with readable as (
         select * from messages
          where deleted = 0
            and (channel in ('general', 'design') or $1 = any(string_to_array(channel, ':')))
       ), named as (
         select id, ts from readable where sender <> $1 and mentions::jsonb ?| array[$1, '@everyone']
       )
       select 'mention ' || id as item, ts, id from named
       union all
       select 'reply ' || reply.id, reply.ts, reply.id
         from readable reply
        where reply.sender <> $1 and reply.part = 0 and reply.id not in (select id from named)
          and exists (select from messages known
                       where (known.id = reply.thread_id
                              or (known.thread_id = reply.thread_id and known.id <= reply.id))
                         and (known.sender = $1 or known.mentions::jsonb ? $1))
       union all
       select 'reaction ' || id, (select max(ts) from reactions where message_id = id and username <> $1), id
         from readable
        where sender = $1 and exists (select from reactions where message_id = id and username <> $1)
        order by ts desc, id desc`,
      [name],
    )
    return rows.map(row => row.item)
  }
})
