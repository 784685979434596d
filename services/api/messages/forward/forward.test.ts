import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('forwarding a message (interface 11.1)', function () {
  this.timeout(60_000)
  let world: World
  let den: string
  before(async () => {
    world = await newWorld({
      apis: 2,
      settings: { channels: ['general', 'design'], max_message_chars: 1_000, user_upload_mb_per_day: 1 },
    })
    den = await world.privateChannel('den', [world.ada, world.bob])
  })
  after(() => world.end())

  const forward = (person: Person, id: unknown, fields: object) => person.postJson(`/forward/${id}`, fields)
  const answerOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { code?: string }).code,
  ]
  const newest = async (person: Person, channel: string, count = 1) =>
    (await person.get<MessagePayload[]>(`/messages/${channel}?extra=1&limit=${count}`)).slice(-count)
  async function forwarded(
    person: Person,
    id: number,
    fields: { channel: string; text?: string },
    count = 1,
  ) {
    const response = await forward(person, id, fields)
    const body = (await response.json()) as { id: number }
    expect(response.status, JSON.stringify(body)).to.equal(201)
    const rows = await newest(person, fields.channel, count)
    expect(rows[0]?.id).to.equal(body.id)
    return rows
  }

  it('posts the quoted text with its source, which later changes of the source do not touch', async () => {
    const { ada, bob } = world
    const id = await ada.send('general', 'one\n\nthree @cleo')
    const [source] = await newest(bob, 'general')
    const [row] = await forwarded(bob, id, { channel: den, text: '  Look, @ada  ' })
    expect(row).to.deep.include({ sender: 'bob', content: 'Look, @ada\n\n> one\n> \n> three @cleo' })
    expect(row?.mentions, 'of the comment only').to.equal('["ada"]')
    expect(row?.extra).to.deep.equal({ forward: { id, channel: 'general', sender: 'ada', ts: source?.ts } })
    expect(await bob.get<MessagePayload>(`/message/${row?.id}?full=1`)).to.not.have.property('extra')
    await ada.edit(id, 'something else')
    await ada.delete(id)
    expect(await newest(ada, den)).to.deep.equal([row])
  })

  it('does not name a private channel or a DM as the source', async () => {
    const { ada, bob } = world
    for (const channel of [den, 'dm:ada:bob']) {
      const id = await ada.send(channel, 'between us')
      const [row] = await forwarded(bob, id, { channel: 'dm:bob:cleo' })
      expect(row?.content).to.equal('> between us')
      expect(row?.extra?.forward).to.deep.include({ id, channel: null, sender: 'ada' })
    }
    expect((await world.cleo.messages('dm:bob:cleo')).length, 'opens a new DM').to.be.greaterThan(0)
  })

  it('copies a file, which stays when the source is deleted', async () => {
    const { ada, bob, cleo } = world
    const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
    const files = [
      { name: 'plän.png', bytes: await picture.png().toBuffer() },
      { name: 'notes.txt', bytes: 'some notes' },
    ]
    expect((await ada.sendFiles(den, files)).status).to.equal(200)
    for (const source of await newest(ada, den, 2)) {
      const { name } = source.extra!.file!
      const rows = await forwarded(bob, source.id, { channel: 'dm:bob:cleo' }, 2)
      expect(rows[0]).to.deep.include({ content: `> ${name}`, filename: null })
      expect(rows[0]?.extra?.forward?.id).to.equal(source.id)
      expect(rows[1]?.extra).to.deep.equal({ file: source.extra!.file, part: 2 })
      expect(rows[1]?.filename).to.not.equal(source.filename)
      const bytes = await (await ada.fetch(`/files/${source.filename}`)).bytes()
      await ada.delete(source.id)
      const copy = await cleo.fetch(`/files/${rows[1]?.filename}`)
      expect(Buffer.from(bytes).equals(Buffer.from(await copy.bytes()))).to.equal(true)
      expect(
        (await ada.fetch(`/files/${rows[1]?.filename}`)).status,
        'not for readers of the source',
      ).to.equal(404)
    }
  })

  it('is for those who read the source and may write in the target', async () => {
    const { ada, bob, mallory, cleo } = world
    const id = await ada.send(den, 'for two')
    expect(await answerOf(await forward(mallory, id, { channel: 'general' }))).to.deep.equal([
      404,
      'not_found',
    ])
    const late = await world.lateJoiner(den, ada)
    expect(await answerOf(await forward(late, id, { channel: 'general' }))).to.deep.equal([404, 'not_found'])
    expect(await answerOf(await forward(ada, id, { channel: 'private:999' }))).to.deep.equal([
      403,
      'forbidden',
    ])
    const open = await ada.send('general', 'for all')
    expect(await answerOf(await forward(cleo, open, { channel: den }))).to.deep.equal([403, 'forbidden'])
    await ada.patchJson('/channel_info/design', { posting: 'managers' })
    const refused = await forward(cleo, open, { channel: 'design' })
    expect([refused.status, ((await refused.json()) as { error: string }).error]).to.deep.equal([
      403,
      'read-only channel',
    ])
    await ada.delete(open)
    expect(await answerOf(await forward(bob, open, { channel: den }))).to.deep.equal([400, 'invalid'])
    const line = (await ada.messages(den)).find(row => row.content_type === 'system')
    expect(await answerOf(await forward(ada, line?.id, { channel: den })), 'a system message').to.deep.equal([
      400,
      'invalid',
    ])
  })

  it('refuses bad fields, long texts and files beyond the quota, and stores nothing', async () => {
    const { ada, bob } = world
    const id = await ada.send('general', 'x'.repeat(990))
    await bob.sendFiles('general', [{ name: 'large.bin', bytes: Buffer.alloc(600 * 1024) }])
    const [large] = await newest(bob, 'general')
    const before = await newest(bob, den)
    for (const [fields, ...answer] of [
      [{}, 400, 'required'],
      [{ channel: 7 }, 400, 'required'],
      [{ channel: den, text: [] }, 400, 'required'],
      [{ channel: den, text: '\ud800' }, 400, 'invalid'],
      [{ channel: den, client_id: 'x' }, 400, 'invalid'],
      [{ channel: den, text: 'y'.repeat(20) }, 413, 'too_large'],
    ] as const)
      expect(await answerOf(await forward(bob, id, fields)), JSON.stringify(fields)).to.deep.equal(answer)
    expect(await answerOf(await forward(bob, large?.id, { channel: den }))).to.deep.equal([413, 'too_large'])
    expect(await newest(bob, den)).to.deep.equal(before)
  })

  it('is one message however often it is asked for with a client id', async () => {
    const { ada, bob } = world
    const id = await ada.send('general', 'once')
    await bob.sendFiles('general', [{ name: 'once.txt', bytes: 'once' }])
    const [file] = await newest(bob, 'general')
    for (const source of [id, file!.id]) {
      const client_id = randomUUID()
      const before = (await bob.messages(den)).length
      const answers: number[] = []
      const ask = async (at: number) => {
        const response = await fetch(`${world.api[at]!.url}/forward/${source}`, {
          method: 'POST',
          headers: { Cookie: bob.cookie, 'Content-Type': 'application/json' },
          body: JSON.stringify({ channel: den, client_id }),
        })
        answers.push(((await response.json()) as { id: number }).id)
      }
      await Promise.all([ask(0), ask(1), ask(0)])
      if (source === id) await ada.delete(id)
      await ask(1)
      expect(new Set(answers).size).to.equal(1)
      expect(await bob.messages(den)).to.have.length(before + (source === id ? 1 : 2))
    }
  })

  it('and a send with the client id of the other, of another source or channel, is refused and stores nothing', async () => {
    const { ada, bob } = world
    const [id, other] = [await ada.send('general', 'one'), await ada.send('general', 'two')]
    const counts = async () => [(await bob.messages(den)).length, (await bob.messages('general')).length]
    const conflict = async (response: Response) => {
      expect([response.status, await response.text()].join()).to.match(
        /^409.*This client_id was used for another request/,
      )
    }
    const [ofSend, ofForward] = [randomUUID(), randomUUID()]
    await bob.send(den, 'a send', { client_id: ofSend })
    expect((await forward(bob, id, { channel: den, client_id: ofForward })).status).to.equal(201)
    const stored = await counts()
    await conflict(await forward(bob, id, { channel: den, client_id: ofSend }))
    await conflict(await bob.postForm(`/send/${den}`, { text: 'x', client_id: ofForward }))
    await conflict(await forward(bob, other, { channel: den, client_id: ofForward }))
    await conflict(await forward(bob, id, { channel: 'general', client_id: ofForward }))
    await conflict(await bob.postForm('/send/general', { text: 'a send', client_id: ofSend }))
    expect(await counts()).to.deep.equal(stored)
    expect((await forward(bob, id, { channel: den, client_id: ofForward })).status, 'a repetition').to.equal(
      201,
    )
    const [row] = await newest(bob, den)
    await bob.edit(row!.id, 'an edit takes the source away')
    expect((await forward(bob, id, { channel: den, client_id: ofForward })).status, 'a repetition').to.equal(
      201,
    )
    expect(await counts()).to.deep.equal(stored)
  })

  it('leaves unread what the person has not read in the target, and an edit is an ordinary text', async () => {
    const { ada, bob } = world
    const id = await ada.send('general', 'news')
    await bob.markRead('general')
    await ada.send('general', 'not read yet')
    const [row] = await forwarded(bob, id, { channel: 'general' })
    expect((await bob.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(1)
    await bob.edit(row!.id, 'My own words')
    const [edited] = await newest(bob, 'general')
    expect(edited).to.include({ id: row?.id, content: 'My own words' })
    expect(edited).to.not.have.property('extra')
  })
})
