import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import type { RunningService } from '#shared/test-kit/processes.ts'
import { Program, programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

type Json = Record<string, unknown>
type Body = NonNullable<RequestInit['body']> | Buffer
interface Answer extends Json {
  ok: boolean
  error?: string
  upload_url: string
  file_id: string
}

const MIB = 1024 * 1024

const call = async (who: Person, method: string, args: Json = {}): Promise<Answer> => {
  const response = await who.postJson(`/api/${method}`, args)
  expect(response.status, method).to.equal(200)
  return (await response.json()) as Answer
}
const begin = (who: Person, filename: string, length: unknown) =>
  call(who, 'files.getUploadURLExternal', { filename, length })
const complete = (who: Person, ids: string[], rest: Json = {}) =>
  call(who, 'files.completeUploadExternal', {
    files: ids.map(id => ({ id })),
    channel_id: 'general',
    ...rest,
  })
/** As Slack's libraries do it: without the token. */
const put = (url: string, body: Body, init: RequestInit = {}) =>
  fetch(url, {
    method: 'POST',
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
    redirect: 'manual',
    ...init,
  })
const statusOf = async (response: Promise<Response>) => (await response).status
const formOf = (...files: Buffer[]) => {
  const form = new FormData()
  for (const bytes of files) form.append('body', new Blob([new Uint8Array(bytes)]), 'Untitled')
  return form
}
/** In chunks, without their number. */
const unannounced = (bytes: Buffer) =>
  ({ body: new Blob([new Uint8Array(bytes)]).stream(), duplex: 'half' }) as RequestInit

describe("files of Slack's Web API (interface 19.8)", () => {
  let world: World
  let bell: Program
  before(async () => {
    const settings = { channels: ['general', 'design'], max_upload_size_mb: 20, max_request_size_mb: 16 }
    world = await newWorld({ settings, env: { LOG_LEVEL: 'info' } })
    bell = await botOf('bell')
  })
  after(() => world.end())

  async function botOf(username: string, draft: Json = {}): Promise<Program> {
    const response = await world.ada.postJson('/bots', { username, ...draft })
    expect(response.status).to.equal(201)
    return new Program(username, world.ada.at, ((await response.json()) as { token: string }).token)
  }
  const newest = async (channel = 'general') =>
    (await world.bob.get<MessagePayload[]>(`/messages/${channel}?extra=1&limit=3`)).at(-1)!
  const inFolders = () =>
    ['uploads', 'incoming'].map(folder =>
      readdirSync(join(fileURLToPath(world.backing.env.FILES_URL), folder)),
    )
  const nothingIsLeft = () => eventually(async () => expect(inFolders()).to.deep.equal([[], []]))
  async function uploaded(who: Person, bytes = randomBytes(9), name = 'a.bin'): Promise<string> {
    const { upload_url, file_id } = await begin(who, name, bytes.length)
    expect(await statusOf(put(upload_url, bytes))).to.equal(200)
    return file_id
  }

  it('come as bytes, in a form and in chunks, and become a message', async () => {
    const bytes = randomBytes(9 * MIB)
    for (const [body, init] of [
      [bytes, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
      [formOf(bytes), {}],
      [bytes, unannounced(bytes)],
    ] as [Body, RequestInit][]) {
      const { upload_url, file_id } = await begin(bell, 'folder/report.bin', bytes.length)
      const response = await put(upload_url, body, init)
      expect([response.status, await response.text()]).to.deep.equal([200, 'ok'])
      expect(await complete(bell, [file_id], { initial_comment: 'the *report*' })).to.deep.equal({
        ok: true,
        files: [{ id: file_id, title: 'report.bin' }],
      })
      const { extra, filename, sender, id } = await newest()
      expect([sender, extra?.file]).to.deep.equal([
        'bell',
        { name: 'report.bin', size: bytes.length, type: 'application/octet-stream' },
      ])
      const file = Buffer.from(await (await world.bob.fetch(`/files/${filename}`)).arrayBuffer())
      expect(file.equals(bytes)).to.equal(true)
      const rows = await world.bob.get<MessagePayload[]>('/messages/general?extra=1')
      expect(rows.find(row => row.id === id - 1)?.content).to.equal('the *report*')
    }
    await nothingIsLeft()
  })

  it('are several of a reply, with the titles of the request', async () => {
    const { ts } = await call(bell, 'chat.postMessage', { channel: 'general', text: 'root' })
    const ids = [await uploaded(bell, Buffer.from('one'), '1.txt'), await uploaded(bell, undefined, '2.bin')]
    const response = await bell.postForm('/api/files.completeUploadExternal', {
      files: JSON.stringify([{ id: ids[0], title: 'First' }, { id: ids[1] }]),
      channels: '#general',
      thread_ts: String(ts),
    })
    expect(await response.json()).to.deep.equal({
      ok: true,
      files: [
        { id: ids[0], title: 'First' },
        { id: ids[1], title: '2.bin' },
      ],
    })
    const rows = (await world.bob.get<MessagePayload[]>('/messages/general?extra=1')).slice(-3)
    expect(rows.map(row => row.extra?.file?.name)).to.deep.equal([undefined, '1.txt', '2.bin'])
    expect(rows.slice(1).map(row => row.reply_to_id)).to.deep.equal([rows[0]!.id, rows[0]!.id])
  })

  it('have the length that was declared, else nothing is kept', async () => {
    const bytes = randomBytes(1_000)
    const { upload_url, file_id } = await begin(bell, 'a.bin', bytes.length)
    const longer = Buffer.concat([bytes, bytes])
    for (const [what, body, init] of [
      ['shorter', bytes.subarray(1), {}],
      ['longer', longer, {}],
      ['none', '', {}],
      ['a shorter form', formOf(bytes.subarray(1)), {}],
      ['a longer form', formOf(longer), {}],
      ['two files', formOf(bytes, Buffer.from('x')), {}],
      ['no file', new URLSearchParams({ a: 'b' }), {}],
      ['no form', bytes, { headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }],
      ['shorter in chunks', bytes, unannounced(bytes.subarray(1))],
    ] as [string, Body, RequestInit][])
      expect(await statusOf(put(upload_url, body, init)), what).to.equal(400)
    // The connection may end before the client has read the refusal.
    const cut = await statusOf(put(upload_url, longer, unannounced(longer))).catch(() => 413)
    expect(cut, 'longer in chunks').to.equal(413)
    await nothingIsLeft()
    const early = await complete(bell, [file_id])
    expect(early).to.deep.equal({ ok: false, error: 'file_not_found' })
    expect(await statusOf(put(upload_url, bytes))).to.equal(200)
    expect(await statusOf(put(upload_url, bytes)), 'the response was lost').to.equal(200)
    expect((await complete(bell, [file_id])).ok).to.equal(true)
    expect(await statusOf(put(upload_url, bytes)), 'sent').to.equal(404)
    await nothingIsLeft()
  })

  it('arrive whole once when two requests bring them at once', async () => {
    const bytes = randomBytes(10 * MIB)
    const { upload_url, file_id } = await begin(bell, 'twice.bin', bytes.length)
    const statuses = await Promise.all([1, 2].map(() => statusOf(put(upload_url, bytes))))
    expect(statuses).to.include(200)
    for (const status of statuses) expect(status).to.be.oneOf([200, 409])
    expect((await complete(bell, [file_id])).ok).to.equal(true)
    const { filename } = await newest()
    const file = Buffer.from(await (await world.bob.fetch(`/files/${filename}`)).arrayBuffer())
    expect(file.equals(bytes)).to.equal(true)
    await nothingIsLeft()
  })

  it('are one message of two completions at once, and of a later one', async () => {
    const before = (await world.bob.messages('general')).length
    const id = await uploaded(bell)
    const answers = await Promise.all([1, 2].map(() => complete(bell, [id])))
    expect(answers.map(({ ok, error }) => [ok, error])).to.deep.equal([
      [true, undefined],
      [true, undefined],
    ])
    expect((await complete(bell, [id])).ok).to.equal(true)
    expect(await complete(bell, [id], { channel_id: 'design' })).to.include({ error: 'file_not_found' })
    const other = await uploaded(bell)
    expect(await complete(bell, [id, other])).to.include({ error: 'file_not_found' })
    expect(await world.bob.messages('general')).to.have.length(before + 1)
    expect((await complete(bell, [other])).ok, 'nothing is lost').to.equal(true)
    await nothingIsLeft()
  })

  it('stay until another channel has them when theirs is archived meanwhile', async () => {
    const { ada } = world
    await ada.postJson('/public_channels', { name: 'Old', id: 'old' })
    const id = await uploaded(bell)
    await ada.postJson('/channel_info/old/archive', {})
    expect(await complete(bell, [id], { channel_id: 'old' })).to.include({ error: 'is_archived' })
    await ada.postJson('/public_channels', { name: 'News', id: 'news', posting: 'managers' })
    expect(await complete(bell, [id], { channel_id: 'news' })).to.include({ error: 'restricted_action' })
    expect((await complete(bell, [id])).ok).to.equal(true)
  })

  it('belong to one account', async () => {
    const id = await uploaded(bell)
    const other = await botOf('other')
    expect(await complete(other, [id])).to.include({ ok: false, error: 'file_not_found' })
    expect(await complete(bell, [randomUUID()])).to.include({ error: 'file_not_found' })
    expect((await complete(bell, [id])).ok).to.equal(true)
  })

  it('have an address that is the only key, of one file and a live token', async () => {
    const bob = await programOf(world.bob, { scopes: ['write'] })
    const bytes = Buffer.from('nine byte')
    const { upload_url } = await begin(bob, 'a.bin', bytes.length)
    const { pathname } = new URL(upload_url)
    const ticket = pathname.slice('/slack_uploads/'.length)
    expect(upload_url).to.equal(`${bob.at}/slack_uploads/${ticket}`)
    const changed = `${ticket.slice(0, 40)}${ticket[40] === 'A' ? 'B' : 'A'}${ticket.slice(41)}`
    for (const wrong of [changed, 'x', '%00', `${ticket}/more`, 'A'.repeat(3_000)])
      expect(await statusOf(put(`${bob.at}/slack_uploads/${wrong}`, bytes)), wrong).to.be.oneOf([404, 302])
    await world.bob.fetch(`/tokens/${bob.id}`, { method: 'DELETE' })
    const ended = await put(upload_url, bytes)
    expect([ended.status, await ended.text()]).to.deep.equal([404, 'not found'])
    await nothingIsLeft()
    const [{ output }] = world.api as [RunningService]
    await eventually(async () => expect(output()).to.include('"route":"/slack_uploads/:ticket"'))
    expect(output()).to.not.include(ticket)
  })

  it('ask no session, no other token and no site', async () => {
    const { upload_url, file_id } = await begin(bell, 'a.bin', 2)
    const headers = {
      Authorization: 'Bearer bothy_wrong',
      Cookie: world.mallory.cookie,
      Origin: 'https://elsewhere.example',
    }
    expect(await statusOf(put(upload_url, 'ok', { headers }))).to.equal(200)
    expect((await complete(bell, [file_id])).ok).to.equal(true)
  })

  it('are refused in the words of Slack, and change nothing', async () => {
    const id = await uploaded(bell)
    const before = await world.bob.messages('general')
    const url = 'files.getUploadURLExternal'
    const done = 'files.completeUploadExternal'
    const channel_id = 'general'
    const refused: [string, Json, string][] = [
      [url, {}, 'missing_argument'],
      [url, { filename: 'a' }, 'missing_argument'],
      [url, { filename: ' ', length: 5 }, 'missing_argument'],
      [url, { filename: 'a', length: 0 }, 'missing_argument'],
      [url, { filename: 'a', length: -1 }, 'invalid_arguments'],
      [url, { filename: 'a', length: 1.5 }, 'invalid_arguments'],
      [url, { filename: 'a', length: 'many' }, 'invalid_arguments'],
      [url, { filename: 'a', length: {} }, 'invalid_arguments'],
      [url, { filename: ['a'], length: 5 }, 'invalid_arguments'],
      [url, { filename: 'a\0', length: 5 }, 'invalid_arguments'],
      [url, { filename: '\ud800', length: 5 }, 'invalid_arguments'],
      [url, { filename: 'a', length: 16 * MIB }, 'file_upload_size_restricted'],
      [url, { filename: 'a', length: 999_999_999_999_999 }, 'file_upload_size_restricted'],
      [done, { files: [{ id }] }, 'channel_not_found'],
      [done, { files: [{ id }], channel_id: 'nowhere' }, 'channel_not_found'],
      [done, { files: [{ id }], channels: 'general,design' }, 'channel_not_found'],
      [done, { channel_id }, 'missing_argument'],
      [done, { channel_id, files: [] }, 'missing_argument'],
      [done, { channel_id, files: 'x' }, 'invalid_files'],
      [done, { channel_id, files: [id] }, 'invalid_files'],
      [done, { channel_id, files: [{}] }, 'file_not_found'],
      [done, { channel_id, files: [{ id: 'x' }] }, 'file_not_found'],
      [done, { channel_id, files: [{ id: [id] }] }, 'invalid_arguments'],
      [done, { channel_id, files: [{ id, title: {} }] }, 'invalid_arguments'],
      [done, { channel_id, files: Array.from({ length: 11 }, () => ({ id })) }, 'invalid_arguments'],
      [done, { channel_id, files: [{ id }, { id: randomUUID() }] }, 'file_not_found'],
      [done, { channel_id, files: [{ id }], thread_ts: '1.000000' }, 'thread_not_found'],
      [done, { channel_id, files: [{ id }], initial_comment: 'x'.repeat(200_000) }, 'msg_too_long'],
      [done, { channel_id, files: [{ id }], initial_comment: 'a\0' }, 'invalid_arguments'],
    ]
    for (const [method, args, word] of refused)
      expect(await call(bell, method, args), JSON.stringify(args).slice(0, 80)).to.include({
        ok: false,
        error: word,
      })
    expect(await world.bob.messages('general')).to.deep.equal(before)
    expect((await complete(bell, [id])).ok).to.equal(true)
    await nothingIsLeft()
  })

  it('keep a token within its scopes and channels', async () => {
    const reader = await programOf(world.bob)
    const needed = { ok: false, error: 'missing_scope', needed: 'write' }
    expect(await begin(reader, 'a', 1)).to.deep.equal(needed)
    expect(await complete(reader, [randomUUID()])).to.deep.equal(needed)
    const limited = await programOf(world.bob, { scopes: ['write'], channels_only: ['design'] })
    const id = await uploaded(limited)
    expect(await complete(limited, [id])).to.include({ error: 'channel_not_found' })
    expect((await complete(limited, [id], { channel_id: 'design' })).ok).to.equal(true)
  })

  it('tell a guest nothing of channels that it does not see', async () => {
    const { ada, bob } = world
    await ada.postJson('/public_channels', { name: 'Project', id: 'project' })
    const den = await world.privateChannel('den', [bob])
    const guest = await botOf('visitor', { guest: true, channels: ['project'] })
    const id = await uploaded(guest)
    for (const channel_id of ['design', den, '#den', 'dm:ada:bob', 'nowhere'])
      expect(await complete(guest, [id], { channel_id })).to.deep.equal({
        ok: false,
        error: 'channel_not_found',
      })
    expect((await complete(guest, [id], { channel_id: 'project' })).ok).to.equal(true)
  })

  it('respect the quota and the types of the workspace', async () => {
    const { ada } = world
    await ada.patchJson('/admin/settings', { file_types: 'images', user_upload_mb_per_day: 1 })
    try {
      const bot = await botOf('bounded')
      await eventually(async () =>
        expect(await begin(bot, 'a.txt', 5)).to.include({ error: 'file_uploads_except_images_disabled' }),
      )
      expect((await begin(bot, 'a.png', 900_000)).ok).to.equal(true)
      expect(await begin(bot, 'b.png', 900_000)).to.include({ error: 'storage_limit_reached' })
    } finally {
      await ada.patchJson('/admin/settings', { file_types: 'all', user_upload_mb_per_day: 0 })
    }
  })
})

describe("addresses of uploads of Slack's Web API", () => {
  it('count for the address that asks while their ticket is unknown, else for the token', async () => {
    const rate_limits = { anonymous: [2, 3_600], token: [4, 3_600] }
    const world = await newWorld({ settings: { channels: ['general'], rate_limit_enabled: false } })
    try {
      const { ada, backing } = world
      const program = await programOf(ada, { scopes: ['write'] })
      const { upload_url } = await begin(program, 'a.bin', 2)
      backing.settings({ channels: ['general'], rate_limit_enabled: true, rate_limits })
      const unknown = `${ada.at}/slack_uploads/unknown`
      await eventually(async () => expect(await statusOf(put(unknown, 'ok'))).to.equal(429))
      expect(await statusOf(put(upload_url, 'no!'))).to.equal(400)
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) statuses.push(await statusOf(put(upload_url, 'no!')))
      expect(statuses).to.deep.equal([400, 400, 400, 429, 429])
    } finally {
      await world.end()
    }
  })
})
