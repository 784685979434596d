import { expect } from 'chai'
import pg from 'pg'
import type { NewCallPayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { CommandPayload } from '#shared/domain/payloads/commands.ts'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** bob was bert before, and cleo was clara. Each request that names a person takes both names. */
describe('a former name leads to the person (interface 17.3, 3)', () => {
  let world: World
  let ada: Person
  let db: pg.Client
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    ;({ ada } = world)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(
      `insert into former_names (username_key, username) values ('bert', 'bob'), ('clara', 'cleo')`,
    )
    await ada.postJson('/public_channels', { name: 'Mine' })
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const statusOf = async (response: Promise<Response>) => (await response).status
  const members = (channel: string) =>
    ada.get<{ username: string }[]>(`/private_channels/${channel.slice('private:'.length)}/members`)
  const joined = async (name: string) =>
    (
      await db.query('select from channel_memberships where channel = $1 and username = $2 and joined', [
        'mine',
        name,
      ])
    ).rowCount

  const CASES: Record<string, () => Promise<void>> = {
    'GET /search_messages?from=': async () => {
      const id = await world.bob.send('general', 'once more')
      const found = await ada.get<{ id: number }[]>('/search_messages?from=Bert')
      expect(found.map(row => row.id)).to.deep.equal([id])
    },
    'GET /search?q=from:': async () => {
      const { items } = await ada.get<{ items: { sender: string }[] }>('/search?q=from:bert')
      expect(items[0]?.sender).to.equal('bob')
    },
    'POST /public_channels/<channel>/add and /remove': async () => {
      const added = await ada.postJson('/public_channels/mine/add', { usernames: ['Bert', 'nobody'] })
      expect(await added.json()).to.deep.equal({ added: ['bob'], skipped: ['nobody'] })
      expect(await joined('bob')).to.equal(1)
      expect(await statusOf(ada.postJson('/public_channels/mine/remove', { username: 'bert' }))).to.equal(204)
      expect(await joined('bob')).to.equal(0)
    },
    'POST /private_channels/create': async () => {
      const made = await ada.postJson('/private_channels/create', {
        name: 'den',
        members: ['bert', 'nobody'],
      })
      const { channel, skipped } = (await made.json()) as { channel: string; skipped: string[] }
      expect(skipped).to.deep.equal(['nobody'])
      expect(await members(channel)).to.deep.equal([{ username: 'ada' }, { username: 'bob' }])
    },
    'POST /private_channels/<id>/add_member and /remove_member': async () => {
      const channel = await world.privateChannel('nook', [ada])
      expect((await ada.addMember(channel, 'Bert')).status).to.equal(204)
      expect(await members(channel)).to.deep.equal([{ username: 'ada' }, { username: 'bob' }])
      const path = `/private_channels/${channel.slice('private:'.length)}/remove_member`
      expect(await statusOf(ada.postJson(path, { username: 'bert' }))).to.equal(204)
      expect(await members(channel)).to.deep.equal([{ username: 'ada' }])
    },
    'PUT and DELETE /channel_info/<channel>/managers/<username>': async () => {
      const managers = async () =>
        (await ada.get<ChannelInfoPayload>('/channel_info/mine')).managers.filter(name => name !== 'ada')
      const at = '/channel_info/mine/managers/clara'
      expect(await statusOf(ada.fetch(at, { method: 'PUT' }))).to.equal(204)
      expect(await managers()).to.deep.equal(['cleo'])
      expect(await statusOf(ada.fetch(at, { method: 'DELETE' }))).to.equal(204)
      expect(await managers()).to.deep.equal([])
    },
    'POST and PATCH /groups': async () => {
      const made = await ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['bert', 'bob'] })
      expect(((await made.json()) as GroupPayload).members).to.deep.equal(['bob'])
      const change = { add: ['Clara'], remove: ['bert'] }
      expect(await statusOf(ada.patchJson('/groups/crew', change))).to.equal(204)
      const [crew] = await ada.get<GroupPayload[]>('/groups')
      expect(crew!.members).to.deep.equal(['cleo'])
    },
    'the owner and the name of a bot': async () => {
      expect(await statusOf(ada.postJson('/bots', { username: 'crew-bot' }))).to.equal(201)
      await db.query(`insert into former_names (username_key, username) values ('old-bot', 'crew-bot')`)
      expect(await statusOf(ada.patchJson('/bots/Old-Bot', { owner: 'Bert' }))).to.equal(204)
      expect(await ada.get('/bots')).to.deep.include.members([
        {
          ...{ username: 'crew-bot', display_name: null, description: null },
          ...{ owner: 'bob', active: true, mine: false, of_hook: false, last_used_ts: null },
        },
      ])
    },
    'the bot of a command': async () => {
      await db.query(`insert into former_names (username_key, username) values ('older-bot', 'crew-bot')`)
      const command = { name: 'crew', url: 'https://a.example/', bot: 'Older-Bot' }
      expect(await statusOf(ada.postJson('/commands', command))).to.equal(201)
      const [made] = await ada.get<CommandPayload[]>('/commands')
      expect(made!.bot).to.equal('crew-bot')
    },
    'signals, media and invitations of calls': async () => {
      const begun = await ada.postJson('/calls/initiate', { channel: 'dm:ada:bert' })
      const { call_id, participants } = (await begun.json()) as NewCallPayload
      expect(participants).to.include('bob')
      const signal = { to: 'bert', type: 'offer', payload: {} }
      expect(await statusOf(ada.postJson(`/calls/${call_id}/signal`, signal))).to.equal(200)
      expect(await world.bob.get(`/calls/${call_id}/signals`)).to.have.length(1)
      expect(await statusOf(ada.postJson(`/calls/${call_id}/invite`, { username: 'clara' }))).to.equal(200)
      await ada.fetch(`/calls/${call_id}/media`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: 'x',
      })
      await db.query(`insert into former_names (username_key, username) values ('adele', 'ada')`)
      const { chunks } = await world.bob.get<{ chunks: unknown[] }>(`/calls/${call_id}/media?sender=adele`)
      expect(chunks).to.have.length(1)
      await ada.postForm(`/calls/${call_id}/end`)
    },
    'DMs, profiles and the administration': async () => {
      const id = await ada.send('dm:ada:bert', 'hello')
      expect((await world.bob.messages('dm:ada:bob')).at(-1)!.id).to.equal(id)
      expect(await ada.get('/profile/bert')).to.include({ username: 'bob' })
      expect(await statusOf(ada.patchJson('/admin/people/bert', { title: 'Builder' }))).to.equal(204)
      expect(await statusOf(ada.putJson('/drafts/dm:ada:bert', { text: 'x', updated_ts: 1 }))).to.equal(204)
      expect(await statusOf(ada.postJson('/dms/close', { channel: 'dm:ada:bert' }))).to.equal(204)
    },
  }
  for (const [requests, check] of Object.entries(CASES)) it(`in ${requests}`, check)
})
