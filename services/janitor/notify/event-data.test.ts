import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { type EventRow, type ReadEvent, readEvents } from './event-data.ts'

describe('the data of events (interface 19.5)', () => {
  let world: World
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    stores = await storesOf(world.backing)
    await stores.db.query(
      `insert into hooks_out (name, url, format, secret_enc, verify_token_enc, bot, events, created_ts)
       values ('hook', 'http://127.0.0.1/', 'standard', '', '', 'ada', '{message.created,message.edited}', 0)`,
    )
  })
  beforeEach(() => stores.db.query('delete from outgoing_events'))
  after(async () => {
    await stores?.stop()
    await world?.end()
  })

  /** Events since the former call, as the notifier reads them. */
  async function events(): Promise<ReadEvent[]> {
    const { rows } = await stores.db.query<EventRow>(
      'delete from outgoing_events returning id, kind, ref, ts',
    )
    return readEvents(
      stores.db,
      rows.sort((a, b) => a.id - b.id),
    )
  }
  const told = async () =>
    (await events()).map(({ row, data }) => [row.kind, data['id'], data['content'], namesIn(data)])
  const namesIn = (data: Record<string, unknown>) =>
    (data['files'] as string[]).map(file => file.replace(/^.*_/, ''))
  const filesNamed = (...names: string[]) => names.map(name => ({ name: `${name}.txt`, bytes: name }))
  async function idOf(sent: Promise<Response>): Promise<number> {
    const response = await sent
    expect(response.status).to.equal(200)
    return Number(response.headers.get('X-Message-Id'))
  }

  it('names all files of a request, with a text and without, and those of no other', async () => {
    const { bob } = world
    const files = filesNamed('a', 'b', 'c')
    const sends: Record<string, string>[] = [{ text: 'three' }, {}, { text: 'one more' }]
    await Promise.all(sends.map(fields => bob.sendFiles('general', files, fields)))
    expect((await events()).map(({ data }) => namesIn(data))).to.deep.equal(
      sends.map(() => ['a.txt', 'b.txt', 'c.txt']),
    )
    await bob.sendFiles('general', files.slice(0, 1))
    await bob.postForm('/send/general', { text: 'none' })
    expect((await events()).map(({ data }) => namesIn(data))).to.deep.equal([['a.txt'], []])
  })

  it('names files of a reply that come in later requests once, in an event of each request', async () => {
    const { ada, bob } = world
    const about = { reply_to_id: String(await ada.send('general', 'plans?')), part_of: randomUUID() }
    const later = (...names: string[]) => idOf(bob.sendFiles('general', filesNamed(...names), about))
    await events()
    const text = await bob.send('general', 'here', { ...about, client_id: about.part_of })
    const first = await later('a')
    const second = await later('b', 'c')
    const note = await bob.send('general', 'and a note', about)
    const third = await idOf(bob.sendFiles('general', filesNamed('d', 'e'), { ...about, text: 'last' }))
    expect(await told()).to.deep.equal([
      ['message.created', text, 'here', []],
      ['message.created', first, '', ['a.txt']],
      ['message.created', second, '', ['b.txt', 'c.txt']],
      ['message.created', note, 'and a note', []],
      ['message.created', third, 'last', ['d.txt', 'e.txt']],
    ])
    await bob.edit(third, 'at last')
    await bob.edit(text, 'here they are')
    expect(await told()).to.deep.equal([
      ['message.edited', third, 'at last', ['d.txt', 'e.txt']],
      ['message.edited', text, 'here they are', []],
    ])
  })

  it('keeps requests apart that follow each other within a millisecond', async () => {
    const { ada, bob } = world
    const about = { reply_to_id: String(await ada.send('general', 'plans?')), part_of: randomUUID() }
    await events()
    // The clock of the channel is ahead, as after that of the server was set back.
    await stores.db.query(`update channels set clock_us = clock_us + 60000000 where id = 'general'`)
    await bob.sendFiles('general', filesNamed('a', 'b'), { ...about, client_id: about.part_of })
    await bob.sendFiles('general', filesNamed('c', 'd'), about)
    await bob.sendFiles('general', filesNamed('e'), about)
    expect((await events()).map(({ data }) => namesIn(data))).to.deep.equal([
      ['a.txt', 'b.txt'],
      ['c.txt', 'd.txt'],
      ['e.txt'],
    ])
  })

  it('leaves out a file that is deleted meanwhile', async () => {
    const { bob } = world
    const text = await idOf(bob.sendFiles('general', filesNamed('a', 'b'), { text: 'two' }))
    await bob.delete(text + 1)
    expect(await told()).to.deep.equal([['message.created', text, 'two', ['b.txt']]])
  })
})
