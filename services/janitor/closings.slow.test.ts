import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { dmId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { runAdmin } from '#shared/test-kit/admin-command.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person, somebody } from '#shared/test-kit/person.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { OF_CHANNELS, renameAccounts } from './rename-accounts.ts'

/*
 * Writes of a person at the moment in which another write closes their channel: an acknowledged one is there once and
 * seen; a refused one has changed nothing; 503 is repeated, as clients do. Each pair runs in both orders, one waiting for
 * the locks of the other.
 */

type Order = 'closing first' | 'write first'
const ORDERS: Order[] = ['closing first', 'write first']

describe('writes while their channel is closed', function () {
  this.timeout(180_000)
  let world: World
  let stores: OpenStores
  let db: pg.Client
  let blocker: pg.Client
  before(async () => {
    world = await newWorld()
    const { env } = world.backing
    ;[db, blocker] = [new pg.Client(env.DATABASE_URL), new pg.Client(env.DATABASE_URL)]
    await Promise.all([db.connect(), blocker.connect()])
    stores = await storesOf(world.backing)
    await world.ada.postJson('/confirm', { password: PASSWORD })
    await world.ada.postJson('/bots', { username: 'deploy-bot' })
    await db.query(
      `insert into slash_commands (name, url, secret_enc, verify_token_enc, bot, created_ts)
       values ('deploy', 'https://a.example/', '', '', 'deploy-bot', 0)`,
    )
  })
  afterEach(() => blocker.query('rollback'))
  after(async () => {
    await stores.stop()
    await Promise.all([db.end(), blocker.end()])
    await world.end()
  })

  const count = async (sql: string, values: unknown[]) =>
    (await db.query<{ count: number }>(`select count(*)::int as count from ${sql}`, values)).rows[0]!.count

  /** Backends that wait for a lock. */
  const waiting = () =>
    count(
      `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      [],
    )

  /** Runs both with this lock taken, the second one behind the first. */
  async function race<T>(
    lock: [sql: string, values: unknown[]],
    order: Order,
    write: () => Promise<T>,
    close: () => Promise<unknown>,
  ) {
    await blocker.query('begin')
    await blocker.query(...lock)
    const running: { write?: Promise<T>; close?: Promise<unknown> } = {}
    for (const one of order === 'closing first'
      ? (['close', 'write'] as const)
      : (['write', 'close'] as const)) {
      const before = await waiting()
      let isDone = false
      const started = (one === 'write' ? write() : close()).finally(() => {
        isDone = true
      })
      started.catch(() => undefined)
      Object.assign(running, { [one]: started })
      await eventually(async () => expect(isDone || (await waiting()) > before, one).to.equal(true))
    }
    await blocker.query('commit')
    await running.close
    return running.write as Promise<T>
  }

  /** Repeats what a client repeats. */
  async function acknowledged(response: Response, again: () => Promise<Response>): Promise<Response> {
    if (response.status !== 503) return response
    return eventually(async () => {
      const next = await again()
      expect(next.status).to.not.equal(503)
      return next
    })
  }

  /** Somebody who may make outgoing hooks and tokens. */
  async function confirmed(): Promise<Person> {
    const person = await somebody(world.api[0]!.url).signUp()
    await person.postJson('/confirm', { password: PASSWORD })
    return person
  }

  /** A late answer of the program of a command, at the address that it got with it. */
  async function lateAnswer(asker: Person, channel: ChannelId, payload: object): Promise<Response> {
    const made = await db.query('select created_ts from channel_properties where channel = $1', [channel])
    const channelMadeTs = made.rows[0]?.created_ts ?? null
    const asked = { channel, channelMadeTs, asker: asker.name, command: 'deploy', madeTs: 0 }
    const token = randomUUID()
    const key = stores.keys.commandAnswers(createHash('sha256').update(token).digest('hex'))
    await stores.redis.rpush(key, ...Array<string>(5).fill(JSON.stringify(asked)))
    return fetch(`${world.api[0]!.url}/hooks/answer/${token}`, {
      method: 'POST',
      body: JSON.stringify(payload),
    })
  }

  describe('a participant of a DM is renamed', () => {
    interface Case {
      name: string
      /** The DM has no messages. */
      isNew?: true
      /** `ids`: a message of the partner and one of the writer. */
      write(bob: Person, dm: ChannelId, ids: [number, number], key: string): Promise<Response>
      /** SQL of the effect in the DM `$1`; `$2`: the key, `$3`: the writer. */
      effect: string
    }
    const content = `messages where channel = $1 and content like '%' || $2 || '%' and deleted = 0`
    const CASES: Case[] = [
      ...([{}, { isNew: true }] as const).map(
        (kind): Case => ({
          name: `a send${'isNew' in kind ? ' that opens it' : ''}`,
          ...kind,
          write: (bob, dm, _, key) => bob.postForm(`/send/${dm}`, { text: key, client_id: key }),
          effect: content,
        }),
      ),
      {
        name: 'a reply',
        write: (bob, dm, [theirs], key) =>
          bob.postForm(`/send/${dm}`, { text: key, client_id: key, reply_to_id: String(theirs) }),
        effect: `${content} and thread_id is not null`,
      },
      {
        name: 'a forward',
        write: (bob, dm, [theirs], key) =>
          bob.postJson(`/forward/${theirs}`, { channel: dm, text: key, client_id: key }),
        effect: content,
      },
      { name: 'an edit', write: (bob, _dm, [, own], key) => bob.edit(own, key), effect: content },
      {
        name: 'a deletion',
        write: (bob, _dm, [, own]) => bob.delete(own),
        effect: `messages where channel = $1 and deleted = 1`,
      },
      {
        name: 'a reaction',
        write: (bob, _dm, [theirs]) => bob.postForm(`/react/${theirs}`, { reaction: '👍', on: '1' }),
        effect: `reactions join messages on id = message_id where channel = $1`,
      },
      {
        name: 'a pin',
        write: (bob, _dm, [theirs]) => bob.fetch(`/pin/${theirs}`, { method: 'PUT' }),
        effect: `pins where channel = $1`,
      },
      {
        name: 'a read mark',
        write: (bob, dm) => bob.markRead(dm),
        effect: `read_watermarks join channels on id = channel
                  where channel = $1 and username = $3 and unread_from_ts is null and last_read_ord = message_count`,
      },
      {
        name: 'a mark as unread',
        write: (bob, dm, [theirs]) => bob.markUnread(dm, theirs),
        effect: `read_watermarks where channel = $1 and username = $3 and unread_from_ts is not null`,
      },
      {
        name: 'closing the DM',
        write: (bob, dm) => bob.postJson('/dms/close', { channel: dm }),
        effect: `hidden_dms where channel = $1`,
      },
      {
        name: 'a mute',
        write: (bob, dm) => bob.mute(dm, { muted_for_minutes: -1 }),
        effect: `channel_prefs where channel = $1`,
      },
      ...([{}, { isNew: true }] as const).flatMap((kind): Case[] => [
        {
          name: `a draft${'isNew' in kind ? ' of a first message' : ''}`,
          ...kind,
          write: (bob, dm, _, key) =>
            bob.putJson(`/drafts/${dm}`, { text: key, updated_ts: Date.now() / 1000 }),
          effect: 'drafts where channel = $1 and text = $2',
        },
        {
          name: `a scheduled message${'isNew' in kind ? ', the first one' : ''}`,
          ...kind,
          write: (bob, dm, _, key) =>
            bob.postJson('/scheduled', {
              channel: dm,
              text: key,
              send_ts: Math.ceil(Date.now() / 1000) + 3_600,
              client_id: key,
            }),
          effect: 'scheduled where channel = $1 and text = $2',
        },
        {
          name: `a call${'isNew' in kind ? ' before the first message' : ''}`,
          ...kind,
          write: (bob, dm) => bob.postJson('/calls/initiate', { channel: dm }),
          effect: `calls where channel = $1`,
        },
        {
          name: `a shared screen${'isNew' in kind ? ' before the first message' : ''}`,
          ...kind,
          write: (bob, dm) => bob.postJson('/screenshare/start', { channel: dm }),
          effect: `screen_shares where channel = $1 and state = 'active'`,
        },
      ]),
      {
        name: 'an answer of a command',
        write: (bob, dm, _, key) => lateAnswer(bob, dm, { text: key }),
        effect: `command_answers where channel = $1 and content = $2`,
      },
      {
        name: 'following a thread',
        write: (bob, _dm, [theirs]) => bob.fetch(`/thread/${theirs}/follow`, { method: 'PUT' }),
        effect: `thread_follows where channel = $1 and following`,
      },
    ]

    for (const { name, isNew, write, effect } of CASES)
      for (const order of ORDERS)
        it(`at the moment of ${name}, ${order}: it is in the DM with the new name, once`, async () => {
          const [bob, partner] = await Promise.all([1, 2].map(() => somebody(world.api[0]!.url).signUp()))
          const [from, to] = [partner!.name, `${partner!.name}x`]
          const [before, after] = [dmId([bob!.name, from]), dmId([bob!.name, to])]
          const ids: [number, number] = isNew
            ? [0, 0]
            : [await partner!.send(before, 'hello'), await bob!.send(before, 'hi')]
          if (!isNew) await partner!.send(before, 'news')
          // The renaming waits for the groups after it has moved the DMs.
          await db.query(
            `with made as (insert into user_groups (handle, name, created_ts) values ($1::text, $1::text, 0) returning id)
             insert into group_members (group_id, username) select id, $1::text from made`,
            [from],
          )
          await db.query('insert into account_renames (username, new_username, due_ts) values ($1, $2, 0)', [
            from,
            to,
          ])
          const rename = async () => {
            while ((await count('account_renames where username = $1', [from])) > 0)
              await renameAccounts(stores)
          }
          const lock: [string, unknown[]] =
            order === 'closing first'
              ? ['select from groups_revision for update', []]
              : ['select from channels where id = $1 for update', [before]]
          const key = randomUUID()
          const again = () => write(bob!, before, ids, key)
          const response = await acknowledged(await race(lock, order, again, rename), again)
          expect(response.ok, `${response.status} ${await response.text()}`).to.equal(true)
          expect(
            await count(`${effect} and $2::text is not null and $3::text is not null`, [
              after,
              key,
              bob!.name,
            ]),
            'in the DM',
          ).to.equal(1)
          for (const table of OF_CHANNELS)
            expect(await count(`${table} where channel = $1`, [before]), table).to.equal(0)
          const dms = await bob!.get<{ channel: ChannelId }[]>('/dms')
          expect(dms.every(({ channel }) => channel === after)).to.equal(true)
        })
  })

  const OUT = { url: 'https://a.example/', events: ['message.created'] }

  describe('somebody loses the channel, or the right to write there', () => {
    interface Case {
      name: string
      /** Locked meanwhile, so that both wait: the channel or the account of the writer. */
      lock?: 'account'
      isPrivate?: true
      close(writer: Username, channel: ChannelId): Promise<Response>
    }
    const channelsPath = (channel: ChannelId) => channel.replace('private:', '/private_channels/')
    const CASES: Case[] = [
      { name: 'is archived', close: (_, channel) => world.ada.postForm(`/channel_info/${channel}/archive`) },
      {
        name: 'is archived, a private one,',
        isPrivate: true,
        close: (_, channel) => world.ada.postForm(`/channel_info/${channel}/archive`),
      },
      {
        name: 'becomes read-only',
        close: (_, channel) => world.ada.patchJson(`/channel_info/${channel}`, { posting: 'managers' }),
      },
      {
        name: 'becomes read-only, a private one,',
        isPrivate: true,
        close: (_, channel) => world.ada.patchJson(`/channel_info/${channel}`, { posting: 'managers' }),
      },
      {
        name: 'loses the writer',
        isPrivate: true,
        close: (username, channel) =>
          world.ada.postJson(`${channelsPath(channel)}/remove_member`, { username }),
      },
      {
        name: 'loses the writer, who is deactivated,',
        lock: 'account',
        close: username => world.ada.postForm(`/admin/people/${username}/deactivate`),
      },
      {
        name: 'loses the writer, whose account is deleted,',
        lock: 'account',
        close: username => world.ada.postJson(`/admin/people/${username}/delete`, { type: 'soft' }),
      },
    ]
    interface Write {
      name: string
      send(bob: Person, channel: ChannelId, ids: [number, number], key: string): Promise<Response>
      effect: string
      /** The cases that refuse it; all without. */
      refusedBy?: string[]
    }
    const WRITES: Write[] = [
      {
        name: 'a send',
        send: (bob, channel, _, key) => bob.postForm(`/send/${channel}`, { text: key, client_id: key }),
        effect: 'messages where channel = $1 and content = $2',
      },
      {
        name: 'a forward',
        send: (bob, channel, [theirs], key) =>
          bob.postJson(`/forward/${theirs}`, { channel, text: key, client_id: key }),
        effect: `messages where channel = $1 and content like $2 || '%'`,
      },
      {
        name: 'an edit',
        send: (bob, _, [, own], key) => bob.edit(own, key),
        effect: 'messages where channel = $1 and content = $2',
      },
      {
        name: 'a pin',
        send: (bob, _, [theirs]) => bob.fetch(`/pin/${theirs}`, { method: 'PUT' }),
        effect: 'pins where channel = $1 and $2::text is not null',
      },
      {
        name: 'a hook',
        send: (bob, channel, _, key) => bob.postJson('/hooks_in', { name: key, channel, client_id: key }),
        effect: 'hooks_in where channel = $1 and name = $2',
        // A read-only channel takes hooks; in a public one managers alone make them.
        refusedBy: ['is archived, a private one,', 'loses the writer'],
      },
      {
        name: 'a hook that comes from another one',
        send: async (bob, channel, _, key) => {
          const own = await bob.createPrivateChannel('Own', [])
          const { id } = (await (await bob.postJson('/hooks_in', { name: key, channel: own })).json()) as {
            id: number
          }
          return bob.patchJson(`/hooks_in/${id}`, { channel })
        },
        effect: 'hooks_in where channel = $1 and name = $2',
        refusedBy: ['is archived, a private one,', 'loses the writer'],
      },
      {
        name: 'an outgoing hook',
        send: (bob, channel, _, key) =>
          bob.postJson('/hooks_out', { ...OUT, name: key, channels: [channel], client_id: key }),
        effect: 'hooks_out where channels = array[$1] and name = $2',
        refusedBy: ['loses the writer, who is deactivated,', 'loses the writer, whose account is deleted,'],
      },
    ]
    for (const { name, lock, isPrivate, close } of CASES)
      for (const { name: what, send, effect, refusedBy = [name] } of WRITES)
        for (const order of refusedBy.includes(name) ? ORDERS : [])
          it(`the channel ${name} at the moment of ${what}, ${order}: acknowledged and stored, or neither`, async () => {
            const { ada } = world
            const bob = await confirmed()
            const channel = isPrivate
              ? await ada.createPrivateChannel('Harbour', [bob.name])
              : (
                  (await (await ada.postJson('/public_channels', { name: `c${randomUUID()}` })).json()) as {
                    channel: ChannelId
                  }
                ).channel
            const ids: [number, number] = [await ada.send(channel, 'hello'), await bob.send(channel, 'hi')]
            const key = randomUUID()
            const again = () => send(bob, channel, ids, key)
            const held: [string, unknown[]] =
              lock === 'account'
                ? ['select from users where username = $1 for update', [bob.name]]
                : ['select from channels where id = $1 for update', [channel]]
            let closed: Response | undefined
            const response = await acknowledged(
              await race(held, order, again, async () => {
                closed = await close(bob.name, channel)
              }),
              again,
            )
            expect(closed!.ok, `closing: ${closed!.status}`).to.equal(true)
            if (order === 'write first') expect(response.ok, String(response.status)).to.equal(true)
            else expect(response.status).to.be.within(302, 404)
            const isErased = effect.includes('content') && name.includes('deleted')
            if (!isErased || !response.ok)
              expect(await count(effect, [channel, key])).to.equal(response.ok ? 1 : 0)
          })
  })

  describe('the operator deletes the archived channel', () => {
    interface Case {
      name: string
      /** The other order too; a command takes seconds. */
      both?: true
      /** Where the account is locked before the channel is found. */
      lock?: string
      write(bob: Person, channel: ChannelId, ids: [number, number], key: string): Promise<Response>
    }
    const CASES: Case[] = [
      {
        name: 'a send',
        both: true,
        write: (bob, channel, _, key) => bob.postForm(`/send/${channel}`, { text: key, client_id: key }),
      },
      {
        name: 'a file',
        write: (bob, channel, _, key) =>
          bob.sendFiles(channel, [{ name: 'a.txt', bytes: 'hello' }], { client_id: key }),
      },
      {
        name: 'a forward',
        write: (bob, channel, [theirs], key) =>
          bob.postJson(`/forward/${theirs}`, { channel, text: key, client_id: key }),
      },
      {
        name: 'a draft',
        both: true,
        write: (bob, channel, _, key) =>
          bob.putJson(`/drafts/${channel}`, { text: key, updated_ts: Date.now() / 1000 }),
      },
      {
        name: 'a scheduled message',
        write: (bob, channel, _, key) =>
          bob.postJson('/scheduled', {
            channel,
            text: key,
            send_ts: Math.ceil(Date.now() / 1000) + 3_600,
            client_id: key,
          }),
      },
      { name: 'a mute', write: (bob, channel) => bob.mute(channel, { muted_for_minutes: -1 }) },
      { name: 'a read mark', write: (bob, channel) => bob.markRead(channel) },
      { name: 'a mark as unread', write: (bob, channel, [theirs]) => bob.markUnread(channel, theirs) },
      { name: 'a deletion', write: (bob, _, [, own]) => bob.delete(own) },
      {
        name: 'saving a message',
        write: (bob, _, [theirs]) => bob.putJson(`/saved/${theirs}`, {}),
      },
      {
        name: 'an answer of a command',
        both: true,
        write: (bob, channel, _, key) => lateAnswer(bob, channel, { text: key }),
      },
      {
        name: 'an outgoing hook',
        both: true,
        lock: 'lock table hooks_out in share mode',
        write: (bob, channel, _, key) =>
          bob.postJson('/hooks_out', { ...OUT, name: key, channels: [channel], client_id: key }),
      },
      {
        name: 'a token for it',
        both: true,
        lock: 'lock table api_tokens in share mode',
        write: (bob, channel, _, key) =>
          bob.postJson('/tokens', { name: key, channels_only: [channel], client_id: key }),
      },
      {
        name: 'joining',
        write: (bob, channel) => bob.postForm(`/public_channels/${channel}/join`),
      },
    ]
    /** Tables that name channels of the person by id alone. */
    const tables = OF_CHANNELS.filter(table => table !== 'calls' && table !== 'screen_shares')

    for (const { name, both, lock: found, write } of CASES)
      for (const order of both ? ORDERS : (['write first'] as const))
        it(`at the moment of ${name}, ${order}: nothing of it is left for a channel of the same id`, async () => {
          const { ada } = world
          const bob = await confirmed()
          const id = `c${randomUUID()}`
          const make = async () =>
            expect((await ada.postJson('/public_channels', { name: id })).status).to.equal(201)
          await make()
          const ids: [number, number] = [await ada.send(id, 'hello'), await bob.send(id, 'hi')]
          await ada.send(id, 'news')
          expect((await ada.postForm(`/channel_info/${id}/archive`)).status).to.equal(204)
          // A write that comes first has found the channel, and waits for the account.
          const lock: [string, unknown[]] =
            order === 'write first'
              ? found === undefined
                ? ['select from users where username = $1 for update', [bob.name]]
                : [found, []]
              : ['select from channels where id = $1 for update', [id]]
          const key = randomUUID()
          const again = () => write(bob, id, ids, key)
          let said = ''
          const response = await acknowledged(
            await race(lock, order, again, async () => {
              const { stdout, stderr } = await runAdmin(
                world.backing.env,
                ['delete-channel', id],
                async () => id,
              )
              said = stdout + stderr
            }),
            again,
          )
          expect(said).to.include('are deleted')
          expect(response.status).to.be.lessThan(500)
          await make()
          expect(await count('hooks_out where $1 = any(channels)', [id]), 'hooks_out').to.equal(0)
          expect(await count('api_tokens where $1 = any(channels_only)', [id]), 'api_tokens').to.equal(0)
          for (const table of tables) {
            const whose =
              table === 'messages' || table === 'removed_messages' ? '' : ` and username = '${bob.name}'`
            const column = await count(
              `information_schema.columns where table_name = $1 and column_name = 'username'`,
              [table],
            )
            if (whose !== '' && column === 0) continue
            expect(await count(`${table} where channel = $1${whose}`, [id]), table).to.equal(
              table === 'messages' ? 1 : 0,
            )
          }
        })
  })

  it('a token that is limited to a deleted channel reads no other of the same id', async () => {
    const { ada } = world
    const channel = `c${randomUUID()}`
    const make = () => ada.postJson('/public_channels', { name: channel })
    await make()
    const program = await programOf(ada, { channels_only: [channel] })
    const status = async () => (await program.fetch(`/channel_info/${channel}`)).status
    const hash = createHash('sha256').update(program.token).digest('hex')
    const cached = () => stores.redis.get(stores.keys.token(hash))
    // A process caches nothing for some seconds after it connected.
    await eventually(async () => {
      expect(await status()).to.equal(200)
      expect(await cached()).to.include(channel)
    }, 20_000)
    await ada.postForm(`/channel_info/${channel}/archive`)
    await runAdmin(world.backing.env, ['delete-channel', channel], async () => channel)
    expect((await make()).status).to.equal(201)
    expect(await status()).to.equal(404)
  })

  it('an answer of a command at the moment in which its channel is archived is there or in the inbox, once', async () => {
    for (const order of ORDERS) {
      const bob = await somebody(world.api[0]!.url).signUp()
      const channel = `c${randomUUID()}`
      expect((await world.ada.postJson('/public_channels', { name: channel })).status).to.equal(201)
      await world.ada.send(channel, 'hello')
      const key = randomUUID()
      const again = () => lateAnswer(bob, channel, { text: key, response_type: 'in_channel' })
      const lock: [string, unknown[]] = ['select from channels where id = $1 for update', [channel]]
      const response = await acknowledged(
        await race(lock, order, again, () => world.ada.postForm(`/channel_info/${channel}/archive`)),
        again,
      )
      expect(response.status, order).to.equal(200)
      const places = [
        await count('messages where channel = $1 and content = $2', [channel, key]),
        await count('command_answers where channel = $1 and content = $2', [channel, key]),
      ]
      expect(places, order).to.deep.equal(order === 'write first' ? [1, 0] : [0, 1])
    }
  })

  it('a send of a DM whose other participant is deleted is there once, for the one who is left', async () => {
    for (const order of ORDERS) {
      const [bob, partner] = await Promise.all([1, 2].map(() => somebody(world.api[0]!.url).signUp()))
      const dm = dmId([bob!.name, partner!.name])
      await bob!.send(dm, 'hi')
      const key = randomUUID()
      const again = () => bob!.postForm(`/send/${dm}`, { text: key, client_id: key })
      const lock: [string, unknown[]] = ['select from users where username = $1 for update', [partner!.name]]
      const response = await acknowledged(
        await race(lock, order, again, () =>
          world.ada.postJson(`/admin/people/${partner!.name}/delete`, { type: 'hard' }),
        ),
        again,
      )
      expect(response.status, order).to.equal(200)
      expect((await bob!.messages(dm)).filter(({ content }) => content === key)).to.have.length(1)
    }
  })
})
