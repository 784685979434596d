import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import sharp from 'sharp'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ThreadPayload, ThreadsPayload } from '#shared/domain/payloads/threads.ts'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('threads (interface 11.2)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
  })
  after(() => world.end())

  const reply = (person: Person, channel: string, parent: number, text: string) =>
    person.send(channel, text, { reply_to_id: String(parent) })
  const threadOf = (person: Person, id: number, query = '') =>
    person.get<ThreadPayload>(`/thread/${id}${query}`)
  const threadsOf = (person: Person, query = '') => person.get<ThreadsPayload>(`/threads${query}`)
  const inboxOf = (person: Person) => person.get<InboxPayload>('/inbox')
  const itemOf = async (person: Person, id: number) =>
    (await inboxOf(person)).items.find(item => item.message_id === id)
  const follow = (person: Person, id: number, method = 'PUT') =>
    person.fetch(`/thread/${id}/follow`, { method })
  const read = (person: Person, id: number, body: object = {}) => person.postJson(`/thread/${id}/read`, body)
  const whole = (person: Person, id: number) => person.get<MessagePayload>(`/message/${id}?full=1&extra=1`)
  const images = async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    return ['a.png', 'b.png'].map(name => ({ name, bytes }))
  }

  it('give a reply to a reply the root of the thread, and the root the living replies', async () => {
    const { ada, bob, cleo } = world
    const root = await ada.send('general', 'where do we eat?')
    const first = await reply(bob, 'general', root, 'at the harbour')
    const second = await reply(cleo, 'general', first, 'again?')
    const gone = await reply(ada, 'general', second, 'never mind')
    expect((await whole(ada, second)).extra).to.deep.equal({ thread: root })
    await ada.delete(gone)
    const { ts } = await whole(ada, second)
    expect((await whole(bob, root)).extra).to.deep.equal({
      replies: { count: 2, last_id: second, last_ts: ts, people: ['cleo', 'bob'] },
    })
    const thread = await threadOf(bob, second)
    expect(thread.root?.id).to.equal(root)
    expect(thread.rows.map(row => [row.id, row.deleted])).to.deep.equal([
      [first, 0],
      [second, 0],
      [gone, 1],
    ])
    expect(thread).to.deep.include({ more: false, following: true })
  })

  it('count a reply of a text and two files once, and change nothing else of the root', async () => {
    const { ada, bob } = world
    const root = await ada.send('general', 'pictures?')
    const before = await whole(ada, root)
    const bare = async () => (await ada.messages('general')).find(row => row.id === root)
    const base = await bare()
    await bob.sendImages('general', await images(), 'here', { reply_to_id: String(root) })
    const { extra, ...rest } = await whole(ada, root)
    expect(rest).to.deep.equal(before)
    expect(extra?.replies?.count).to.equal(1)
    expect(await bare()).to.deep.equal(base)
    const { rows } = await threadOf(ada, root)
    expect(rows.map(row => row.extra)).to.deep.equal([
      { thread: root },
      { thread: root, part: 2 },
      { thread: root, part: 3 },
    ])
    expect((await threadsOf(ada)).items[0]).to.deep.include({
      id: root,
      replies: 1,
      unread: 1,
      people: ['bob'],
    })
    await bob.delete(rows[0]!.id)
    expect((await whole(ada, root)).extra?.replies?.count, 'the files are left').to.equal(1)
  })

  it('send the new rows alone to open tabs, and nothing of the root again', async () => {
    const { ada, bob, cleo, backing } = world
    const gateway = await startService('events', backing.env)
    const root = await ada.send('general', 'by frames?')
    const wholeList = () => ada.get<MessagePayload[]>('/messages/general?extra=1')
    const before = (await wholeList()).find(row => row.id === root)!
    const tabs = [
      await openTab(gateway.url, ada.cookie, { channel: 'general' }),
      await openTab(gateway.url, ada.cookie, { channel: 'general', deltas: ['extra'] }),
    ]
    for (const tab of tabs) await tab.waitFor(() => tab.rows().some(row => row.id === root))
    const rows = () => tabs.map(tab => tab.rows().filter(row => row.id >= root))
    const first = rows()
    await bob.sendImages('general', await images(), 'here', { reply_to_id: String(root) })
    const gone = await reply(cleo, 'general', root, 'never mind')
    await cleo.delete(gone)
    const last = await bob.send('general', 'that was all')
    for (const tab of tabs) await tab.waitFor(() => tab.rows().some(row => row.id === last))
    const sent = (await wholeList()).filter(row => row.id > root).map(row => row.id)
    for (const [at, all] of rows().entries()) {
      const later = all.slice(first[at]!.length)
      expect([...new Set(later.map(row => row.id))], 'the replies, each by itself').to.deep.equal(sent)
      expect(later.some(row => row.extra?.replies)).to.equal(false)
    }
    const { extra, ...fields } = (await wholeList()).find(row => row.id === root)!
    expect(fields).to.deep.equal(before)
    expect(extra?.replies).to.deep.include({ count: 1, last_id: sent[0], people: ['bob'] })
    for (const tab of tabs) tab.close()
    await gateway.stop()
  })

  it('count files that follow the text in requests of their own as one reply, and tell of it once', async () => {
    const { ada, bob, cleo } = world
    const root = await ada.send('general', 'plans?')
    const other = await ada.send('general', 'elsewhere')
    const key = randomUUID()
    const about = { reply_to_id: String(root) }
    const text = await bob.send('general', 'two of them', { ...about, client_id: key })
    for (const image of await images()) {
      await cleo.send('general', 'in between')
      await bob.sendImages('general', [image], '', { ...about, client_id: randomUUID(), part_of: key })
    }
    const { rows } = await threadOf(ada, root)
    expect(rows.map(row => row.extra?.part)).to.deep.equal([undefined, 3, 5])
    expect((await whole(ada, root)).extra?.replies).to.deep.include({ count: 1, last_id: text })
    expect(await threadOf(ada, root)).to.include({ unread: 1 })
    const items = (await inboxOf(ada)).items.filter(item => item.root_id === root)
    expect(items.map(item => item.message_id)).to.deep.equal([text])

    // Files in another thread, by another person or without that reply count by themselves.
    const [image] = await images()
    await bob.sendImages('general', [image!], '', { reply_to_id: String(other), part_of: key })
    await cleo.sendImages('general', [image!], '', { ...about, part_of: key })
    await bob.sendImages('general', [image!], '', { ...about, part_of: randomUUID() })
    expect((await whole(ada, root)).extra?.replies?.count).to.equal(3)
    expect((await whole(ada, other)).extra?.replies?.count).to.equal(1)
  })

  it('are followed by the author of the root, who replies and who is mentioned by name', async () => {
    const { ada, bob, cleo, mallory } = world
    const root = await ada.send('design', 'a name for it')
    const first = await reply(bob, 'design', root, 'Hilltop')
    for (const text of ['@cleo?', '@everyone?']) await reply(bob, 'design', root, text)
    const following = async (person: Person) => (await threadOf(person, root)).following
    expect(await Promise.all([ada, bob, cleo, mallory].map(following))).to.deep.equal([
      true,
      true,
      true,
      false,
    ])

    const later = await reply(bob, 'design', first, 'or Ridge')
    for (const person of [ada, cleo])
      expect(await itemOf(person, later)).to.deep.include({ kind: 'reply', root_id: root, read: false })
    expect(await itemOf(mallory, later)).to.equal(undefined)

    expect((await follow(cleo, later, 'DELETE')).status).to.equal(204)
    const unwanted = await reply(bob, 'design', root, 'who is for Ridge, @cleo?')
    expect(await following(cleo), 'a mention does not follow again').to.equal(false)
    expect((await itemOf(cleo, unwanted))?.kind).to.equal('mention')
    expect((await threadsOf(cleo)).items.map(item => item.id)).not.to.include(root)
    await reply(cleo, 'design', root, 'I am')
    expect(await following(cleo), 'an own reply does').to.equal(true)

    await follow(ada, root, 'DELETE')
    const quiet = await reply(bob, 'design', root, 'settled')
    expect(await itemOf(ada, quiet), 'also for the author of the root').to.equal(undefined)
    await follow(ada, root)
    expect(await following(ada)).to.equal(true)
  })

  it('are not followed by the members of a group that a reply mentions', async () => {
    const { ada, bob, cleo, mallory } = world
    await ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['cleo', 'mallory'] })
    const root = await ada.send('design', 'who helps?')
    await reply(bob, 'design', root, '@crew, and @Mallory above all')
    expect((await threadOf(cleo, root)).following).to.equal(false)
    expect((await threadOf(mallory, root)).following).to.equal(true)
  })

  it('are not followed by members of a group whose name begins that of the group or of another person', async () => {
    const { ada, bob, cleo, mallory } = world
    const cle = await new Person('cle', world.api[0]!.url).signUp()
    for (const handle of ['cleo-fans', 'hands'])
      await ada.postJson('/groups', { handle, name: handle, members: ['cle', 'cleo', 'mallory'] })
    const root = await ada.send('design', 'who sings?')
    await reply(bob, 'design', root, 'not @cleo-fans. But @hands: @mallory-, will you?')
    expect((await threadOf(cleo, root)).following).to.equal(false)
    expect((await threadOf(mallory, root)).following).to.equal(true)
    await reply(bob, 'design', root, '@hands, help @Cleo')
    expect((await threadOf(cleo, root)).following).to.equal(true)
    expect((await threadOf(cle, root)).following).to.equal(false)
  })

  it('have unread replies of their own, which reading the channel reads too', async () => {
    const { ada, bob, cleo } = world
    const root = await ada.send('general', 'the plan')
    const first = await reply(bob, 'general', root, 'one')
    const second = await reply(cleo, 'general', root, 'two @ada')
    await bob.send('general', 'something else')
    const unread = async () => {
      const channels = await ada.get<Record<string, number>>('/channel_unreads')
      const { threads } = await inboxOf(ada)
      return [(await threadOf(ada, root)).unread, channels['general'], threads]
    }
    const others = (await inboxOf(ada)).threads - 1
    expect(await unread()).to.deep.equal([2, 3, others + 1])
    expect((await threadsOf(ada, '?unread=1&channel=general')).items[0]).to.deep.include({
      id: root,
      unread: 2,
    })

    const mentioned = async () =>
      (await threadsOf(ada, '?channel=general')).items.find(item => item.id === root)?.mentioned
    expect(await mentioned(), 'mentions among the unread ones').to.deep.equal([second])
    expect((await read(ada, first, { upto: first })).status).to.equal(204)
    expect(await unread()).to.deep.equal([1, 3, others + 1])
    expect((await itemOf(ada, first))?.read).to.equal(true)
    expect((await itemOf(ada, second))?.read).to.equal(false)
    await read(ada, root)
    expect(await unread(), 'without reading the channel').to.deep.equal([0, 3, others])
    expect((await itemOf(ada, second))?.read, 'a mention in it').to.equal(true)
    expect(await mentioned()).to.deep.equal([])
    await read(ada, root, { upto: first })
    expect((await threadOf(ada, root)).last_read_id, 'forward only').to.equal(second)

    await reply(bob, 'general', root, 'three')
    expect((await unread())[0]).to.equal(1)
    await ada.markRead('general')
    expect(await unread()).to.deep.equal([0, 0, others])
    expect((await threadsOf(ada, '?unread=1&channel=general')).items).to.deep.equal([])
  })

  it('stay when the root is deleted, and are not read by a decision to read them alone', async () => {
    const { ada, bob, cleo } = world
    const root = await ada.send('general', 'to be deleted')
    const only = await reply(bob, 'general', root, 'why?')
    await read(cleo, root)
    expect((await threadOf(cleo, root)).following).to.equal(false)
    await reply(bob, 'general', root, 'do you know, @cleo?')
    expect((await threadOf(cleo, root)).following, 'no decision against it').to.equal(true)
    await ada.delete(root)
    const thread = await threadOf(bob, root)
    expect(thread.root).to.deep.include({ id: root, deleted: 1, content: null })
    expect(thread.root?.extra?.replies?.count).to.equal(2)
    expect(thread.rows[0]?.id).to.equal(only)
  })

  it('are null at the root for a late joiner, who gets the replies since', async () => {
    const { ada, bob, mallory } = world
    const den = await world.privateChannel('den', [ada, bob])
    const root = await ada.send(den, 'between us')
    await reply(bob, den, root, 'sure')
    const other = await ada.send(den, 'also')
    await reply(bob, den, other, 'yes')
    const dora = await world.lateJoiner(den, ada)
    expect((await dora.fetch(`/thread/${root}`)).status, 'nothing of it').to.equal(404)
    const late = await reply(ada, den, root, 'with @dora now')
    const { root: hidden, rows, following, people } = await threadOf(dora, root)
    expect([hidden, rows.map(row => row.id), following, people]).to.deep.equal([null, [late], true, ['ada']])
    const { items } = await threadsOf(dora)
    expect(items.map(({ id, root, replies, people }) => ({ id, root, replies, people }))).to.deep.equal([
      { id: root, root: null, replies: 1, people: ['ada'] },
    ])
    for (const [method, path] of [
      ['GET', `/thread/${late}`],
      ['PUT', `/thread/${late}/follow`],
      ['DELETE', `/thread/${root}/follow`],
      ['POST', `/thread/${root}/read`],
      ['GET', `/threads?channel=${den}`],
    ])
      expect((await mallory.fetch(path!, { method: method! })).status, `${method} ${path}`).to.equal(404)
    await bob.fetch(`/private_channels/${den.split(':')[1]}/leave`, { method: 'POST' })
    expect((await threadsOf(bob)).items.map(item => item.channel)).not.to.include(den)
  })

  it('have the names of those who wrote in them, with the newest rows alone', async () => {
    const { ada, bob, cleo } = world
    const root = await ada.send('general', 'who wrote here?')
    await reply(bob, 'general', root, 'one')
    await reply(bob, 'general', root, 'two')
    const last = await reply(cleo, 'general', root, 'never mind')
    expect((await threadOf(ada, root)).people).to.deep.equal(['ada', 'bob', 'cleo'])
    await cleo.delete(last)
    expect((await threadOf(ada, root)).people).to.deep.equal(['ada', 'bob'])
    expect(await threadOf(ada, root, `?before=${last}`)).not.to.have.property('people')
  })

  it('come in pages, by the last reply, each once while others reply', async () => {
    const { ada, bob } = world
    const zoe = await new Person('zoe', world.api[0]!.url).signUp()
    const roots: number[] = []
    for (let at = 0; at < 5; at++) {
      roots.push(await zoe.send('design', `topic ${at}`))
      await reply(bob, 'design', roots[at]!, 'yes')
    }
    const first = await threadsOf(zoe, '?limit=2')
    await reply(bob, 'design', roots[1]!, 'more')
    const second = await threadsOf(zoe, `?limit=2&cursor=${first.next}`)
    const ids = [...first.items, ...second.items].map(item => item.id)
    expect(ids).to.deep.equal([roots[4], roots[3], roots[2], roots[0]])
    expect(second.next).to.equal(null)

    const [root] = roots
    for (let at = 0; at < 4; at++) await reply(ada, 'design', root!, String(at))
    const newest = await threadOf(zoe, root!, '?limit=2')
    expect([newest.rows.map(row => row.content), newest.more]).to.deep.equal([['2', '3'], true])
    const older = await threadOf(zoe, root!, `?limit=3&before=${newest.rows[0]!.id}`)
    expect([older.rows.map(row => row.content), older.more]).to.deep.equal([['yes', '0', '1'], false])
  })

  it('are listed alone where the caller wrote the root, also page by page', async () => {
    const { bob } = world
    const yara = await new Person('yara', world.api[0]!.url).signUp()
    const own: number[] = []
    for (const topic of ['first', 'second']) {
      own.unshift(await yara.send('design', topic))
      await reply(bob, 'design', own[0]!, 'yes')
      await reply(yara, 'design', await bob.send('design', `not ${topic}`), 'mine is the reply')
    }
    expect((await threadsOf(yara)).items).to.have.length(4)
    const first = await threadsOf(yara, '?own=1&limit=1')
    const second = await threadsOf(yara, `?own=1&limit=1&cursor=${first.next}`)
    expect([...first.items, ...second.items].map(item => item.id)).to.deep.equal(own)
    expect(second.next).to.equal(null)
  })

  it('are read together up to a time, also those behind a page and of several files', async () => {
    const { bob } = world
    const xenia = await new Person('xenia', world.api[0]!.url).signUp()
    const roots: number[] = []
    for (let at = 0; at < 53; at++) roots.push(await xenia.send('design', `topic ${at}`))
    const others = await bob.send('design', 'a topic of bob')
    await reply(xenia, 'design', others, 'mine is the reply')
    for (const root of [...roots, others]) await reply(bob, 'design', root, 'yes')
    await bob.sendImages('design', await images(), '', { reply_to_id: String(roots[0]) })
    const unread = async () => {
      const { items, next } = await threadsOf(xenia, '?unread=1&limit=50')
      const more = next === null ? [] : (await threadsOf(xenia, `?unread=1&cursor=${next}`)).items
      return [...items, ...more].map(({ id }) => id)
    }
    expect(await unread()).to.have.length(54)
    const until = (await threadsOf(xenia, '?limit=1')).items[0]!.last!.ts
    const later = await reply(bob, 'design', roots[7]!, 'after the press')
    const readAll = async (body: object) => {
      const response = await xenia.postJson('/threads/read', body)
      expect(response.status).to.equal(200)
      return response.json()
    }
    expect(await readAll({ until: until - 3_600, own: true })).to.deep.equal({ more: false })
    expect(await unread()).to.have.length(54)
    expect(await readAll({ until, own: true })).to.deep.equal({ more: false })
    expect(await unread()).to.deep.equal([roots[7], others])
    expect((await threadOf(xenia, roots[7]!)).unread, 'a thread with a later reply stays').to.equal(2)
    expect(await readAll({ until: until + 3_600 })).to.deep.equal({ more: false })
    expect(await unread()).to.deep.equal([])
    expect((await threadOf(xenia, roots[7]!)).last_read_id).to.equal(later)
    expect(await readAll({ until: until + 3_600 }), 'repeated').to.deep.equal({ more: false })
  })

  it('refuse what is no id, page or time', async () => {
    const { ada } = world
    const root = await ada.send('general', 'a root')
    for (const path of [
      `/thread/${root}?limit=0`,
      `/thread/${root}?before=x`,
      '/threads?cursor=x',
      '/threads?unread=yes',
      '/threads?own=me',
      '/threads?limit=201',
    ]) {
      const response = await ada.fetch(path)
      expect([response.status, ((await response.json()) as { code: string }).code], path).to.deep.equal([
        400,
        'invalid',
      ])
    }
    for (const body of [{}, [], { until: '1' }, { until: 0 }, { until: null }, { until: 1, own: 1 }])
      expect((await ada.postJson('/threads/read', body)).status, JSON.stringify(body)).to.equal(400)
    for (const upto of ['1', 0, -1, 1.5, true])
      expect((await read(ada, root, { upto })).status, String(upto)).to.equal(400)
    expect((await ada.fetch('/thread/999999999')).status).to.equal(404)
  })
})
