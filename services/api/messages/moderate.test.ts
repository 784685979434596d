import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('removing a message as a moderator (interface 11.6)', () => {
  let world: World
  let gateway: RunningService
  before(async () => {
    world = await newWorld({ apis: 2 })
    gateway = await startService('events', world.backing.env)
  })
  after(async () => {
    await gateway.stop()
    await world.end()
  })

  const remove = (person: Person, id: unknown, body: unknown = {}) =>
    person.postJson(`/moderate/delete/${id}`, body)
  const codeOf = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const
  const rowOf = async (person: Person, channel: string, id: number, query = '&extra=1') =>
    (await person.get<MessagePayload[]>(`/messages/${channel}?after=0${query}`)).find(row => row.id === id)!

  it('leaves a tombstone with the name of the moderator, for those who ask for it', async () => {
    const { ada, bob, cleo } = world
    const id = await bob.send('general', 'rude @cleo')
    for (const attempt of [ada.delete(id), ada.edit(id, 'polite')])
      expect((await attempt).status, 'a role gives nothing here').to.equal(403)
    expect(await codeOf(await remove(cleo, id))).to.deep.equal([403, 'forbidden'])
    const base = await openTab(gateway.url, cleo.cookie, { channel: 'general' })
    const ours = await openTab(gateway.url, cleo.cookie, { channel: 'general', deltas: ['extra'] })
    expect((await remove(ada, id, { reason: 'rude' })).status).to.equal(204)
    for (const tab of [base, ours])
      await tab.waitFor(() => tab.rows().some(row => row.id === id && row.deleted === 1))
    const last = (rows: MessagePayload[]) => rows.findLast(row => row.id === id)!
    expect(last(base.rows())).to.not.have.any.keys('extra')
    expect(last(ours.rows()).extra).to.deep.equal({ removed_by: 'ada' })
    base.close()
    ours.close()

    const tombstone = await rowOf(cleo, 'general', id)
    expect(tombstone).to.deep.include({ content: null, deleted: 1, extra: { removed_by: 'ada' } })
    expect(await rowOf(cleo, 'general', id, '')).to.not.have.any.keys('extra')
    expect(await rowOf(cleo, 'general', id, '&limit=50')).to.not.have.any.keys('extra')
    expect(await cleo.get(`/message/${id}?full=1&extra=1`)).to.deep.equal(tombstone)
    expect(await cleo.get('/mentions')).to.deep.equal([])
    expect((await remove(ada, id)).status, 'again').to.equal(204)
    const { items } = await ada.get<{ items: unknown[] }>('/admin/audit?action=message.removed')
    expect(items).to.have.length(1)
    expect(items[0]).to.deep.include({
      actor: 'ada',
      target: 'bob',
      channel: 'general',
      detail: { id, sender: 'bob', reason: 'rude' },
    })
  })

  it('is for managers of the channel, and for administrators where they are members', async () => {
    const { ada, bob, cleo, mallory } = world
    const den = await world.privateChannel('den', [bob, cleo])
    const id = await cleo.send(den, 'noise')
    expect(await codeOf(await remove(ada, id)), 'not a member').to.deep.equal([404, 'not_found'])
    expect(await codeOf(await remove(mallory, id))).to.deep.equal([404, 'not_found'])
    expect((await remove(bob, id)).status, 'the maker manages the channel').to.equal(204)
    expect((await rowOf(cleo, den, id)).extra).to.deep.equal({ removed_by: 'bob' })
    const own = await bob.send(den, 'mine')
    expect(await codeOf(await remove(cleo, own))).to.deep.equal([403, 'forbidden'])
  })

  it('is not possible in a DM, not even for its owner', async () => {
    const id = await world.bob.send('dm:ada:bob', 'between us')
    expect(await codeOf(await remove(world.ada, id))).to.deep.equal([403, 'forbidden'])
    expect(await codeOf(await remove(world.bob, id))).to.deep.equal([403, 'forbidden'])
    expect(await codeOf(await remove(world.cleo, id))).to.deep.equal([404, 'not_found'])
  })

  it('removes the file with the message', async () => {
    const { ada, bob } = world
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await bob.sendImages('general', [{ name: 'a.png', bytes }])
    const { id, filename } = (await ada.messages('general')).at(-1)!
    expect((await remove(ada, id)).status).to.equal(204)
    expect((await ada.fetch(`/files/${filename}`)).status).to.equal(404)
    expect(existsSync(`${fileURLToPath(world.backing.env.FILES_URL)}/${filename}`)).to.equal(false)
  })

  it('removes message and file of an account that is being deleted', async () => {
    const { ada, backing } = world
    const finn = await new Person('finn', world.api[0]!.url).signUp()
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await finn.sendImages('general', [{ name: 'a.png', bytes }])
    const { id, filename } = (await ada.messages('general')).at(-1)!
    expect((await finn.postJson('/delete_account', { password: PASSWORD, type: 'soft' })).status).to.equal(
      200,
    )
    expect((await rowOf(ada, 'general', id)).sender, 'shown without the name').to.not.equal('finn')
    expect((await remove(ada, id)).status).to.equal(204)
    expect(await rowOf(ada, 'general', id)).to.deep.include({ deleted: 1, extra: { removed_by: 'ada' } })
    expect(existsSync(`${fileURLToPath(backing.env.FILES_URL)}/${filename}`)).to.equal(false)
  })

  it('refuses a bad reason, and changes nothing', async () => {
    const id = await world.bob.send('general', 'still here')
    for (const [reason, code] of [
      ['x'.repeat(201), 'too_long'],
      [7, 'required'],
      [{}, 'required'],
      ['\0', 'invalid'],
    ] as const)
      expect(await codeOf(await remove(world.ada, id, { reason })), code).to.deep.equal([400, code])
    for (const unknown of ['0', '-1', 'x', '9223372036854775807'])
      expect(await codeOf(await remove(world.ada, unknown))).to.deep.equal([404, 'not_found'])
    expect((await rowOf(world.bob, 'general', id)).deleted).to.equal(0)
  })
})
