import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { ChannelId } from '#shared/domain/units.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person, somebody } from '#shared/test-kit/person.ts'
import { tokenOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/*
 * Each write of an administrator, at the moment in which they lose the role or the account: it comes first, or it is
 * refused and changes nothing. The loss is committed while the write waits for a lock, if it takes one.
 */

interface Stage {
  /** A member whom the administrator acts on. */
  target: Person
  channel: ChannelId
  den: ChannelId
  message: number
  handle: string
  bot: string
  emoji: string
  invite: number
  token: number
  hook: number
  outgoing: number
  command: string
}

interface Case {
  name: string
  /** The least role that allows it; admin if absent. */
  by?: 'owner' | 'member'
  prepare?: string
  write(admin: Person, stage: Stage): Promise<Response>
}

const onTarget = (verb: string, body: unknown = {}) => ({
  write: (admin: Person, { target }: Stage) => admin.postJson(`/admin/people/${target.name}/${verb}`, body),
})

const CASES: Case[] = [
  {
    name: 'a setting',
    write: admin => admin.patchJson('/admin/settings', { workspace_name: `w${randomUUID().slice(0, 8)}` }),
  },
  {
    name: 'a logo',
    write: async admin => {
      const body = new FormData()
      const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
        .png()
        .toBuffer()
      body.append('logo', new File([new Uint8Array(png)], 'logo.png'))
      return admin.fetch('/admin/logo', { method: 'POST', body })
    },
  },
  {
    name: 'the end of the logo',
    prepare: `insert into workspace_settings values ('logo', '"logo-0.webp"', 'ada', 0) on conflict (key) do nothing`,
    write: admin => admin.fetch('/admin/logo', { method: 'DELETE' }),
  },
  {
    name: 'an account',
    write: admin => admin.postJson('/admin/people', { username: `n${randomUUID().slice(0, 8)}` }),
  },
  {
    name: 'a role',
    write: (admin, { target, channel }) =>
      admin.patchJson(`/admin/people/${target.name}`, { role: 'guest', channels: [channel] }),
  },
  {
    name: 'a title',
    write: (admin, { target }) => admin.patchJson(`/admin/people/${target.name}`, { title: 'Cook' }),
  },
  {
    name: 'an approval',
    prepare: `update users set state = 'pending' where username = $1`,
    ...onTarget('approve'),
  },
  {
    name: 'a rejection',
    prepare: `update users set state = 'pending' where username = $1`,
    ...onTarget('reject'),
  },
  { name: 'a deactivation', ...onTarget('deactivate') },
  {
    name: 'a reactivation',
    prepare: `update users set state = 'deactivated' where username = $1`,
    ...onTarget('reactivate'),
  },
  { name: 'the end of sessions', ...onTarget('end_sessions') },
  { name: 'a reset link', ...onTarget('reset_link') },
  { name: 'a new name', ...onTarget('rename', { username: `r${randomUUID().slice(0, 8)}` }) },
  { name: 'a deletion of an account', ...onTarget('delete', { type: 'soft' }) },
  {
    name: 'a backup',
    by: 'owner',
    prepare: `delete from backups; insert into backup_target (folder, since_ts) values ('/backups', 0) on conflict do nothing`,
    write: admin => admin.postJson('/admin/backups', {}),
  },
  {
    name: 'an invitation',
    write: admin => admin.postJson('/invites', { role: 'member' }),
  },
  {
    name: 'an invitation that does not expire',
    write: admin => admin.postJson('/invites', { role: 'member', expires_in_hours: 0 }),
  },
  {
    name: 'the end of an invitation of somebody else',
    write: (admin, { invite }) => admin.fetch(`/invites/${invite}`, { method: 'DELETE' }),
  },
  {
    name: 'a token that administers',
    write: admin => admin.postJson('/tokens', { name: 'x', scopes: ['admin'] }),
  },
  {
    name: 'the end of a token of somebody else',
    write: (admin, { token }) => admin.fetch(`/tokens/${token}`, { method: 'DELETE' }),
  },
  {
    name: 'a group',
    write: (admin, { target }) =>
      admin.postJson('/groups', {
        handle: `g${randomUUID().slice(0, 8)}`,
        name: 'Cooks',
        members: [target.name],
      }),
  },
  {
    name: 'a bot',
    write: admin => admin.postJson('/bots', { username: `b${randomUUID().slice(0, 8)}` }),
  },
  {
    name: 'a change of the bot of somebody else',
    write: (admin, { bot }) => admin.patchJson(`/bots/${bot}`, { description: 'Cooks' }),
  },
  {
    name: 'another owner of the bot of somebody else',
    write: (admin, { bot, target }) => admin.patchJson(`/bots/${bot}`, { owner: target.name }),
  },
  {
    name: 'a token of the bot of somebody else',
    write: (admin, { bot }) => admin.postJson(`/bots/${bot}/tokens`, { name: 'CI' }),
  },
  {
    name: 'the deactivation of the bot of somebody else',
    write: (admin, { bot }) => admin.postJson(`/bots/${bot}/deactivate`, {}),
  },
  {
    name: 'the deletion of the bot of somebody else',
    write: (admin, { bot }) => admin.fetch(`/bots/${bot}`, { method: 'DELETE' }),
  },
  {
    name: 'a command',
    write: (admin, { bot }) =>
      admin.postJson('/commands', {
        name: `c${randomUUID().slice(0, 8)}`,
        url: 'http://deploy.example/',
        bot,
      }),
  },
  {
    name: 'a hook',
    write: (admin, { channel }) => admin.postJson('/hooks_in', { name: randomUUID().slice(0, 8), channel }),
  },
  {
    name: 'a right of the hook of somebody else',
    write: (admin, { hook }) => admin.patchJson(`/hooks_in/${hook}`, { may_mention_everyone: true }),
  },
  {
    name: 'the text of a hook with a right',
    prepare: 'update hooks_in set may_mention_everyone = true',
    write: (admin, { hook }) => admin.patchJson(`/hooks_in/${hook}`, { template: '@everyone {{a}}' }),
  },
  {
    name: 'the address of a hook with a right',
    prepare: 'update hooks_in set may_choose_channel = true',
    write: (admin, { hook }) => admin.postJson(`/hooks_in/${hook}/new_token`, {}),
  },
  {
    name: 'the end of the hook of somebody else',
    write: (admin, { hook }) => admin.fetch(`/hooks_in/${hook}`, { method: 'DELETE' }),
  },
  {
    name: 'the end of the outgoing hook of somebody else',
    write: (admin, { outgoing }) => admin.fetch(`/hooks_out/${outgoing}`, { method: 'DELETE' }),
  },
  {
    name: 'a secret of the outgoing hook of somebody else',
    write: (admin, { outgoing }) => admin.postJson(`/hooks_out/${outgoing}/new_secret`, {}),
  },
  {
    name: 'a change of a command',
    write: (admin, { command }) => admin.patchJson(`/commands/${command}`, { description: 'Cooks' }),
  },
  {
    name: 'the end of a command',
    write: (admin, { command }) => admin.fetch(`/commands/${command}`, { method: 'DELETE' }),
  },
  {
    name: 'an outgoing hook of the audit log',
    write: admin =>
      admin.postJson('/hooks_out', { name: 'SIEM', url: 'https://a.example/', events: ['audit.entry'] }),
  },
  {
    name: 'the name of a group',
    write: (admin, { handle }) => admin.patchJson(`/groups/${handle}`, { name: 'Bakers' }),
  },
  {
    name: 'members of a group',
    write: (admin, { handle, target }) => admin.patchJson(`/groups/${handle}`, { remove: [target.name] }),
  },
  {
    name: 'the end of a group',
    write: (admin, { handle }) => admin.fetch(`/groups/${handle}`, { method: 'DELETE' }),
  },
  {
    name: 'the end of an emoji of somebody else',
    write: (admin, { emoji }) => admin.fetch(`/emoji/${emoji}`, { method: 'DELETE' }),
  },
  {
    name: 'the removal of a message',
    write: (admin, { message }) => admin.postJson(`/moderate/delete/${message}`, {}),
  },
  {
    name: 'a read-only channel',
    write: (admin, { channel }) => admin.patchJson(`/channel_info/${channel}`, { posting: 'managers' }),
  },
  {
    name: 'an archived channel',
    write: (admin, { channel }) => admin.postForm(`/channel_info/${channel}/archive`),
  },
  {
    name: 'an archived private channel',
    write: (admin, { den }) => admin.postForm(`/channel_info/${den}/archive`),
  },
  {
    name: 'a manager',
    write: (admin, { channel, target }) =>
      admin.fetch(`/channel_info/${channel}/managers/${target.name}`, { method: 'PUT' }),
  },
  {
    name: 'the end of a manager',
    prepare: `insert into channel_managers (channel, username) select id, $1 from channels where id like 'c-%' on conflict do nothing`,
    write: (admin, { channel, target }) =>
      admin.fetch(`/channel_info/${channel}/managers/${target.name}`, { method: 'DELETE' }),
  },
  {
    name: 'a default channel',
    write: admin => admin.postJson('/public_channels', { name: `d-${randomUUID()}`, default: true }),
  },
  {
    name: 'the removal of a member',
    write: (admin, { den, target }) =>
      admin.postJson(`${den.replace('private:', '/private_channels/')}/remove_member`, {
        username: target.name,
      }),
  },
  {
    name: 'the removal of a member of a public channel',
    write: (admin, { channel, target }) =>
      admin.postJson(`/public_channels/${channel}/remove`, { username: target.name }),
  },
  {
    name: 'the name of a private channel',
    by: 'member',
    write: (member, { den }) => member.rename(den, 'Pier'),
  },
  {
    name: 'a new member of a private channel',
    by: 'member',
    write: (member, { den }) => member.addMember(den, 'bob'),
  },
  {
    name: 'a new member of a public channel',
    by: 'member',
    write: (member, { channel }) =>
      member.postJson(`/public_channels/${channel}/add`, { usernames: ['bob'] }),
  },
]

const LOSSES = {
  'the role': `update users set role = case role when 'owner' then 'admin' when 'admin' then 'member' else 'guest' end where username = $1`,
  'the account': `update users set state = 'deactivated', state_ts = extract(epoch from now()) where username = $1`,
}

/** Rows for which writes wait after they have read the role. */
const LOCKED = [
  `select from users where username <> $1 for update`,
  `select from channels where $1::text is not null for update`,
  `select from private_channel_members where $1::text is not null for update`,
  `select from groups_revision where $1::text is not null for update`,
  `select from emoji_revision where $1::text is not null for update`,
  `select from invites where $1::text is not null for update`,
  `select from hooks_in where $1::text is not null for update`,
  `select from hooks_out where $1::text is not null for update`,
  `select from slash_commands where $1::text is not null for update`,
]

describe('writes of an administrator who is demoted or deactivated meanwhile (interface 17.3)', function () {
  this.timeout(180_000)
  let world: World
  let db: pg.Client
  let blocker: pg.Client
  before(async () => {
    world = await newWorld()
    const { DATABASE_URL } = world.backing.env
    ;[db, blocker] = [new pg.Client(DATABASE_URL), new pg.Client(DATABASE_URL)]
    await Promise.all([db.connect(), blocker.connect()])
  })
  afterEach(() => blocker.query('rollback'))
  after(async () => {
    await Promise.all([db.end(), blocker.end()])
    await world.end()
  })

  const count = async (sql: string, values: unknown[] = []) =>
    (await db.query<{ count: number }>(`select count(*)::int as count from ${sql}`, values)).rows[0]!.count

  /** Backends that wait for a lock. */
  const waiting = () =>
    count(
      `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    )

  async function stageFor(admin: Person): Promise<Stage> {
    const { ada } = world
    const target = await somebody(world.api[0]!.url).signUp()
    const made = await ada.postJson('/public_channels', { name: `c-${randomUUID()}` })
    const { channel } = (await made.json()) as { channel: ChannelId }
    const den = await ada.createPrivateChannel('Den', [admin.name, target.name])
    const message = await target.send(channel, 'hello')
    const name = `x${randomUUID().slice(0, 8)}`
    await ada.postJson('/groups', { handle: name, name: 'Cooks', members: [target.name] })
    const bot = `bot-${name}`
    // A person makes 50 bots at most.
    await db.query(
      `insert into users (username, password_hash, created_ts, kind, bot_owner) values ($1, 'none', 0, 'bot', 'ada')`,
      [bot],
    )
    await db.query(
      `insert into custom_emoji (name, file, animated, created_by, created_ts) values ($1, $2, false, 'ada', 0)`,
      [name, `emoji-${name}.webp`],
    )
    const invited = (await (await ada.postJson('/invites', { role: 'member' })).json()) as { id: number }
    const { id: token } = await tokenOf(target)
    const idOf = async (statement: string, values: string[]) =>
      (await db.query<{ id: number }>(`${statement} returning id`, values)).rows[0]!.id
    const hook = await idOf(
      `insert into hooks_in (token_hash, name, bot, channel, created_by, created_ts)
       values (sha256(convert_to($1, 'UTF8')), 'Deploys', $1, $2, 'ada', 0)`,
      [bot, channel],
    )
    const outgoing = await idOf(
      `insert into hooks_out (name, url, format, secret_enc, verify_token_enc, bot, events, created_by, created_ts)
       values ('SIEM', 'https://a.example/', 'standard', '', '', $1, '{channel.created}', 'ada', 0)`,
      [bot],
    )
    await db.query(
      `insert into slash_commands (name, url, secret_enc, verify_token_enc, bot, created_by, created_ts)
       values ($1, 'https://a.example/', '', '', $2, 'ada', 0)`,
      [name, bot],
    )
    return {
      ...{ target, channel, den, message, handle: name, bot, emoji: name, invite: invited.id, token },
      ...{ hook, outgoing, command: name },
    }
  }

  for (const [loss, sql] of Object.entries(LOSSES))
    for (const { name, by = 'admin', prepare, write } of CASES)
      it(`${name}: comes before the loss of ${loss}, or is refused`, async () => {
        const admin = await somebody(world.api[0]!.url).signUp()
        await db.query('update users set role = $2 where username = $1', [admin.name, by])
        await admin.postJson('/confirm', { password: PASSWORD })
        const stage = await stageFor(admin)
        for (const statement of prepare?.split(';') ?? [])
          await db.query(statement, statement.includes('$1') ? [stage.target.name] : [])
        await blocker.query('begin')
        await blocker.query(sql, [admin.name])
        for (const lock of LOCKED) await blocker.query(lock, [admin.name])
        let isDone = false
        const writing = write(admin, stage).finally(() => {
          isDone = true
        })
        await eventually(async () => expect(isDone || (await waiting()) > 0).to.equal(true))
        const isFirst = isDone
        await blocker.query('commit')
        const response = await writing
        const said = `${response.status} ${await response.text()}`
        if (isFirst) return expect(response.ok, said).to.equal(true)
        expect([302, 401, 403, 404], said).to.include(response.status)
        return expect(
          await count(`audit_log where actor = $1 and action <> 'signup'`, [admin.name]),
          said,
        ).to.equal(0)
      })
})
