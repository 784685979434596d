import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import sharp from 'sharp'
import type { WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import type {
  CustomEmojiPayload,
  MessagePayload,
  ReactionsPayload,
} from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('emoji of the workspace (interface 13.2)', function () {
  this.timeout(240_000)
  let world: World
  let worker: RunningService
  let png: Buffer
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
    worker = await startService('previews-pictures', world.backing.env)
    png = await sharp({ create: { width: 300, height: 200, channels: 4, background: 'teal' } })
      .png()
      .toBuffer()
  })
  after(async () => {
    await worker?.stop()
    await world?.end()
  })

  const add = (person: Person, name: string, image: Buffer | undefined = png, fields: object = {}) => {
    const body = new FormData()
    body.set('name', name)
    for (const [field, value] of Object.entries(fields)) body.set(field, value)
    if (image) body.append('image', new File([new Uint8Array(image)], 'emoji.gif'))
    return person.fetch('/emoji', { method: 'POST', body })
  }
  const remove = (person: Person, name: string) => person.fetch(`/emoji/${name}`, { method: 'DELETE' })
  const list = (person: Person) => person.get<CustomEmojiPayload[]>('/emoji')
  const revision = async () => (await world.ada.get<WorkspacePayload>('/workspace')).emoji_rev
  const picture = async (person: Person, path: string) => {
    const response = await person.fetch(path)
    expect(response.status, path).to.equal(200)
    expect(response.headers.get('Content-Type')).to.equal('image/webp')
    return { response, ...(await sharp(Buffer.from(await response.arrayBuffer())).metadata()) }
  }
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ]
  const files = () =>
    readdirSync(fileURLToPath(world.backing.env.FILES_URL)).filter(name => name.startsWith('emoji-'))

  it('are added, used in reactions and removed, each with one entry in the audit log', async () => {
    const { ada, bob, cleo } = world
    const before = await revision()
    const client_id = crypto.randomUUID()
    const response = await add(bob, 'party_parrot', png, { client_id })
    expect(response.status).to.equal(201)
    const made = (await response.json()) as CustomEmojiPayload
    expect(made).to.deep.include({ name: 'party_parrot', animated: false, created_by: 'bob' })
    expect(await list(cleo)).to.deep.equal([made])
    expect(await revision()).to.be.greaterThan(before)
    const { width, height, response: served } = await picture(cleo, made.url)
    expect([width, height]).to.deep.equal([128, 85])
    expect(served.headers.get('Cache-Control')).to.include('immutable')
    const part = await cleo.fetch(made.url, { headers: { Range: 'bytes=0-3' } })
    expect([part.status, await part.text()]).to.deep.equal([206, 'RIFF'])
    const again = await add(bob, 'party_parrot', png, { client_id })
    expect([again.status, await again.json()], 'the same request again').to.deep.equal([201, made])

    const id = await ada.send('general', 'it works')
    const reacted = (await (await cleo.react(id, 'party_parrot')).json()) as ReactionsPayload
    expect(reacted).to.deep.equal({ party_parrot: ['cleo'] })
    await ada.react(id, 'party_parrot')

    expect(await codeOf(await remove(cleo, 'party_parrot')), 'of somebody else').to.deep.equal([
      403,
      'forbidden',
    ])
    expect((await remove(bob, 'party_parrot')).status).to.equal(204)
    expect(await list(ada)).to.deep.equal([])
    expect((await ada.fetch(made.url)).status).to.equal(404)
    await eventually(() => expect(files()).to.deep.equal([]))
    const acts = await ada.get<{ items: { action: string; actor: string; target: string }[] }>(
      '/admin/audit?action=emoji',
    )
    expect(acts.items.map(({ action, actor, target }) => [action, actor, target])).to.deep.equal([
      ['emoji.removed', 'bob', 'party_parrot'],
      ['emoji.added', 'bob', 'party_parrot'],
    ])
    const row = await ada.get<MessagePayload>(`/message/${id}?full=1`)
    expect(JSON.parse(row.reactions!), 'stay').to.deep.equal({ party_parrot: ['cleo', 'ada'] })
    for (const [person, fields] of [
      [bob, {}],
      [ada, { on: '1' }],
    ] as const) {
      const refused = await person.postForm(`/react/${id}`, { reaction: 'party_parrot', ...fields })
      expect([refused.status, await refused.text()]).to.deep.equal([400, 'invalid reaction'])
    }
    expect(await (await ada.react(id, 'party_parrot')).json(), 'taken back').to.deep.equal({
      party_parrot: ['cleo'],
    })
  })

  it('have names of their own', async () => {
    const { ada, bob } = world
    for (const name of ['tada', 'rocket', 'face_with_tears_of_joy', 'de', '+1'])
      expect(await codeOf(await add(ada, name)), name).to.deep.equal([409, 'conflict'])
    for (const name of ['X', 'Parrot', 'a', 'x'.repeat(33), 'a b', '../x'])
      expect(await codeOf(await add(ada, name)), name).to.deep.equal([400, 'invalid'])
    expect(await codeOf(await add(ada, ''))).to.deep.equal([400, 'required'])
    bob.at = world.api[0]!.url
    const twice = await Promise.all([add(ada, 'twin'), add(bob, 'twin')])
    expect(twice.map(({ status }) => status).sort()).to.deep.equal([201, 409])
    expect((await remove(ada, 'twin')).status, 'by the owner').to.equal(204)
    expect(await codeOf(await remove(ada, 'twin'))).to.deep.equal([404, 'not_found'])
    expect(files()).to.deep.equal([])
  })

  it('are at most 128 px, and move if the upload moves', async () => {
    const { ada, bob } = world
    const side = 4_000
    const frame = (background: string) =>
      sharp({ create: { width: side, height: side, channels: 3, background } })
        .png()
        .toBuffer()
    const frames = await Promise.all(['teal', 'navy'].map(frame))
    const gif = await sharp(frames, { join: { animated: true }, limitInputPixels: false })
      .gif({ effort: 1, delay: [100, 100] })
      .toBuffer()
    expect((await add(bob, 'spinner', gif)).status).to.equal(201)
    const [made] = (await list(ada)) as [CustomEmojiPayload]
    expect(made.animated).to.equal(true)
    const moving = await picture(ada, made.url)
    expect([moving.width, moving.pageHeight ?? moving.height, moving.pages]).to.deep.equal([128, 128, 2])
    const still = await picture(ada, `${made.url}&still=1`)
    expect([still.width, still.height, still.pages ?? 1]).to.deep.equal([128, 128, 1])
    await remove(bob, 'spinner')
    await eventually(() => expect(files()).to.deep.equal([]))
  })

  it('are refused as other files, too large, and by guests, and leave nothing behind', async () => {
    const { ada, bob, mallory } = world
    const broken = Buffer.concat([png.subarray(0, 60), Buffer.alloc(200)])
    for (const [image, title] of [
      [Buffer.from('no image'), 'text'],
      [broken, 'cut off'],
    ] as const)
      expect(await codeOf(await add(ada, 'broken', image)), title).to.deep.equal([400, 'invalid'])
    const body = new FormData()
    body.set('name', 'nothing')
    const without = await ada.fetch('/emoji', { method: 'POST', body })
    expect(await codeOf(without)).to.deep.equal([400, 'required'])
    const large = await add(ada, 'large', Buffer.concat([png, Buffer.alloc(600 * 1024)]))
    expect(await codeOf(large)).to.deep.equal([413, 'too_large'])
    await bob.postJson('/public_channels', { name: 'Project' })
    const guest = await ada.patchJson('/admin/people/mallory', { role: 'guest', channels: ['project'] })
    expect(guest.status).to.equal(204)
    expect(await codeOf(await add(mallory, 'our_parrot'))).to.deep.equal([403, 'forbidden'])
    expect((await add(ada, 'our_parrot')).status).to.equal(201)
    const [seen] = await list(mallory)
    expect(seen, 'without the name of a person whom the guest does not see').to.include({ created_by: null })
    expect((await mallory.fetch(seen!.url)).status).to.equal(200)
    await remove(ada, 'our_parrot')
    expect(files()).to.deep.equal([])
  })

  it('lose a maker who is deleted, which others hear of and guests cannot count', async () => {
    const { ada, bob } = world
    const newcomer = (name: string) => new Person(name, world.api[0]!.url).signUp()
    const [maker, other, guest] = [await newcomer('mila'), await newcomer('moritz'), await newcomer('gus')]
    const toGuest = await ada.patchJson('/admin/people/gus', { role: 'guest', channels: ['general'] })
    expect(toGuest.status).to.equal(204)
    expect((await add(maker, 'our_parrot')).status).to.equal(201)
    const [before, ofGuest] = [await revision(), await guest.get('/workspace')]
    const leave = (person: Person) => person.postJson('/delete_account', { type: 'soft', password: PASSWORD })
    expect((await leave(other)).status).to.equal(200)
    expect(await revision(), 'without an emoji').to.equal(before)
    const gateway = await startService('events', world.backing.env)
    try {
      const tab = await openTab(gateway.url, bob.cookie, { deltas: ['workspace'] })
      await tab.waitFor(({ last }) => last.workspace?.emoji_rev === before)
      expect((await leave(maker)).status).to.equal(200)
      await tab.waitFor(({ last }) => last.workspace!.emoji_rev > before)
      tab.close()
    } finally {
      await gateway.stop()
    }
    const kept = (await list(bob)).find(({ name }) => name === 'our_parrot')!
    expect(kept.created_by).to.equal(null)
    expect(await guest.get('/workspace')).to.deep.equal(ofGuest)
    expect((await remove(ada, 'our_parrot')).status).to.equal(204)
  })

  it('are added by administrators only if the setting says so', async () => {
    const { ada, bob } = world
    world.backing.settings({ rate_limit_enabled: false, channels: ['general'], who_adds_emoji: 'admins' })
    await eventually(async () => expect((await add(bob, 'mine')).status).to.equal(403))
    expect((await bob.get<{ may: string[] }>('/me')).may).not.to.include('add_emoji')
    expect((await add(ada, 'our_parrot')).status).to.equal(201)
  })
})
