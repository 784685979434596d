import { expect } from 'chai'
import pg from 'pg'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { Person } from '#shared/test-kit/person.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { runCommand } from './run-command.ts'

/** The commands run in the process of the test, on the stores of its world. */
describe('the operator’s commands (npm run admin)', () => {
  let world: World
  let db: pg.Client
  const outside = { ...process.env }
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    Object.assign(process.env, world.backing.env, { PUBLIC_URL: 'https://chat.osier.lan' })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    for (const name of [...Object.keys(world.backing.env), 'PUBLIC_URL']) {
      if (outside[name] === undefined) delete process.env[name]
      else process.env[name] = outside[name]
    }
    await db.end()
    await world.end()
  })

  /** Runs a command that succeeds; returns its sentence. */
  async function says(...words: string[]): Promise<string> {
    const { exitCode, output, fault } = await runCommand(words)
    expect({ exitCode, fault }, words.join(' ')).to.deep.equal({ exitCode: 0, fault: '' })
    return output
  }
  const json = async <T>(...words: string[]) => JSON.parse(await says(...words, '--json')) as T
  async function refused(exitCode: number, sentence: string, ...words: string[]) {
    const run = await runCommand(words)
    expect(run.exitCode, words.join(' ')).to.equal(exitCode)
    expect(run.output).to.equal('')
    expect(run.fault).to.include(sentence)
  }
  const actions = async (target: string) => {
    const { rows } = await db.query<{ action: string }>(
      `select action from audit_log where target = $1 and actor = 'cli' and actor_kind = 'operator' order by id`,
      [target],
    )
    return rows.map(row => row.action)
  }
  const isIn = async (person: Person) => (await person.fetch('/channels')).status === 200

  it('list people by the filters of the administration, page by page', async () => {
    const all = await json<{ items: { username: string }[]; next: string | null }>('people')
    expect(all.items.map(({ username }) => username)).to.deep.equal(['ada', 'bob', 'cleo', 'mallory'])
    expect(all.items[0]).to.deep.include({ role: 'owner', state: 'active', sessions: 1 })
    expect(await says('people', '--q', 'MALL')).to.equal('mallory\tmember\tactive\t-\t-')
    const first = await json<typeof all>('people', '--limit', '3')
    expect(await says('people', '--cursor', first.next!)).to.match(/^mallory\t/)
    expect(await says('people', '--role', 'guest')).to.equal('There is nobody like that.')
    await refused(1, 'role must be', 'people', '--role', 'king')
  })

  it('make an account, change its role, sign it out, and take its password, state and existence away', async () => {
    const made = await json<{ username: string; reset_url: string }>(
      ...['create', 'Hanna', '--role', 'guest', '--channels', 'design', '--display-name', 'Hanna H.'],
    )
    expect(made.reset_url).to.match(/^https:\/\/chat\.osier\.lan\/reset-password\/[\w-]{43}$/)
    expect((await json<{ items: unknown[] }>('people', '--q', 'hanna')).items[0]).to.deep.include({
      role: 'guest',
      display_name: 'Hanna H.',
      invited_by: null,
    })
    expect(await says('role', 'HANNA', 'admin')).to.equal('Hanna is admin now.')
    expect(await says('role', 'hanna', 'guest', '--channels', 'general')).to.equal('Hanna is guest now.')

    const eva = await new Person('eva', world.api[0]!.url).signUp()
    expect(await says('end-sessions', 'eva')).to.equal('eva is signed out everywhere.')
    expect(await isIn(eva)).to.equal(false)
    expect(await says('deactivate', 'eva')).to.include('cannot sign in')
    expect(await world.bob.get('/users')).to.not.include('eva')
    await says('reactivate', 'eva')
    expect(await world.bob.get('/users')).to.include('eva')
    const link = await says('reset-link', 'eva')
    expect((await fetch(world.api[0]!.url + new URL(link.split('\n')[0]!).pathname)).status).to.equal(200)
    expect(await says('rename', 'eva', 'evelyn')).to.include('evelyn')
    expect((await db.query('delete from account_renames')).rowCount).to.equal(1)
    expect(await says('delete', 'eva', 'soft')).to.equal('eva is deleted; the messages stay.')
    expect(await actions('eva')).to.deep.equal([
      'person.sessions_ended',
      'person.deactivated',
      'person.reactivated',
      'person.reset_link',
      'person.renamed',
      'person.deleted',
    ])
    expect(await actions('Hanna')).to.deep.equal(['person.created', 'person.role', 'person.role'])
  })

  it('approve and reject those who wait', async () => {
    await db.query(`insert into users (username, password_hash, created_ts, state)
                    values ('ivo', 'x', 0, 'pending'), ('jon', 'x', 0, 'pending')`)
    expect(await says('approve', 'ivo')).to.equal('ivo may sign in now.')
    expect(await says('reject', 'jon')).to.include('the name is free')
    expect(await says('people', '--state', 'pending')).to.equal('There is nobody like that.')
    await refused(1, 'does not wait for approval', 'approve', 'ivo')
  })

  it('make, list and revoke invitations in the name of an owner or of a given person', async () => {
    const made = await json<{ id: number; url: string; created_by: string }>(
      ...[
        'invite',
        '--role',
        'guest',
        '--channels',
        'design,general',
        '--max-uses',
        '3',
        '--expires-in-hours',
        '0',
      ],
    )
    expect(made).to.deep.include({ created_by: 'ada', max_uses: 3, expires_ts: null, role: 'guest' })
    expect(made.url).to.match(/^https:\/\/chat\.osier\.lan\/invite\/[A-Za-z0-9]{16}$/)
    const page = await fetch(world.api[0]!.url + new URL(made.url).pathname)
    expect(await page.text()).to.include('ada')
    expect(await says('invites')).to.equal(`${made.id}\tguest\tada\t0 uses\tvalid\t${made.url}`)
    expect(await says('revoke-invite', String(made.id))).to.include('not valid any more')
    expect(await says('invites', '--valid')).to.equal('There are no invitations.')
    expect(await actions(String(made.id))).to.deep.equal(['invite.created', 'invite.revoked'])
    await refused(1, 'bob may not invite people.', 'invite', '--by', 'bob')
    await refused(1, 'channels must be', 'invite', '--channels', 'nowhere')
    await refused(1, 'expires_in_hours required', 'invite', '--expires-in-hours', 'soon')
    await refused(1, 'There is no invitation 4711.', 'revoke-invite', '4711')
  })

  it('list tokens of everybody or one person, and end one at once', async () => {
    expect(await says('tokens')).to.equal('There are no tokens.')
    const program = await programOf(world.bob, { name: 'deploy', scopes: ['write'] })
    expect((await program.fetch('/me')).status).to.equal(200)
    const day = new Date().toISOString().slice(0, 10)
    const line = `${program.id}\tbob\tdeploy\tread,write\tall channels`
    expect(await says('tokens')).to.equal(`${line}\tused ${day}\tin use`)
    expect(await says('tokens', '--of', 'ada')).to.equal('There are no tokens.')
    expect(await says('revoke-token', String(program.id))).to.equal(
      `Token ${program.id} of bob works no more.`,
    )
    expect((await program.fetch('/me')).status).to.equal(401)
    expect(await json('revoke-token', String(program.id))).to.deep.equal({ id: program.id, username: 'bob' })
    expect(await says('tokens', '--of', 'BOB')).to.include('\trevoked')
    expect(await actions('bob')).to.deep.equal(['token.revoked'])
    await refused(1, 'There is no token 4711.', 'revoke-token', '4711')
    await refused(1, 'There is no token x.', 'revoke-token', 'x')
    await refused(1, 'There is no account named nobody.', 'tokens', '--of', 'nobody')
  })

  it('list incoming and outgoing hooks', async () => {
    expect(await says('hooks')).to.equal('There are no hooks.')
    const den = await world.privateChannel('shed', [world.bob])
    const made = await world.bob.postJson('/hooks_in', { name: 'Deploys', channel: den })
    const { id, url } = (await made.json()) as { id: number; url: string }
    const line = `in\t${id}\tDeploys\t${den}\tdeploys-hook\tof bob`
    expect(await says('hooks')).to.equal(`${line}\tnever used\tin use`)
    const address = world.api[0]!.url + new URL(url).pathname
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).to.equal(400)
    expect(await says('hooks')).to.equal(`${line}\tnever used\tno_text`)
    const { items } = (await json('hooks')) as { items: object[] }
    expect(items[0]).to.include({ id, uses: 0 })
    expect(JSON.stringify(items)).to.not.match(/hash|secret/)
    const hook = { name: 'SIEM', url: 'https://siem.example/secret-path', events: ['message.created'] }
    const { id: out } = (await (await world.bob.postJson('/hooks_out', hook)).json()) as { id: number }
    const outgoing = `out\t${out}\tSIEM\tsiem.example\tsiem-hook\tof bob\tmessage.created`
    expect(await says('hooks')).to.equal(`${line}\tnever used\tno_text\n${outgoing}\tin use`)
    await world.bob.patchJson(`/hooks_out/${out}`, { active: false })
    expect(await says('hooks')).to.include(`${outgoing}\tdisabled`)
    expect(JSON.stringify(await json('hooks'))).to.not.match(/hash|_enc|whsec/)
  })

  it('list channels, archive them and bring them back, also private ones', async () => {
    const { ada, bob } = world
    await ada.postJson('/public_channels', { name: 'Old project' })
    const den = await world.privateChannel('den', [bob])
    expect(await says('channels', '--q', 'project')).to.equal(
      'old-project\tOld project\t1 people\topen\tin use',
    )
    for (const channel of ['old-project', den, 'design']) {
      await says('archive', channel)
      await says('archive', channel)
    }
    expect(await says('channels'))
      .to.not.include('project')
      .and.not.include('design')
    expect(await json<{ items: unknown[] }>('channels', '--archived'))
      .to.have.property('items')
      .with.length(3)
    expect(await bob.get<ChannelInfoPayload>(`/channel_info/${den}`)).to.include({ archived: true })
    for (const channel of ['old-project', den, 'design']) await says('unarchive', channel)
    expect((await bob.messages(den)).map(row => row.content)).to.deep.equal([
      'The operator archived this channel.',
      'The operator brought this channel back.',
    ])
    const { rows } = await db.query(
      `select actor_kind, action from audit_log where channel = $1 order by id`,
      [den],
    )
    expect(rows).to.deep.equal([
      { actor_kind: 'operator', action: 'channel.archived' },
      { actor_kind: 'operator', action: 'channel.unarchived' },
    ])
    await refused(1, 'not found', 'archive', 'nowhere')
    await refused(1, 'not found', 'archive', 'private:4711')
    await refused(1, 'forbidden', 'archive', 'dm:ada:bob')
  })

  it('show and change settings, and read the audit log and the statistics', async () => {
    expect(await says('set', 'workspace_name', 'Osier')).to.equal('workspace_name is "Osier".')
    expect(await json('set', 'who_invites', 'members')).to.deep.equal({
      key: 'who_invites',
      value: 'members',
      source: 'web',
    })
    expect(await says('settings', '--key', 'workspace_name')).to.equal('workspace_name\t"Osier"\tweb')
    expect(await says('set', 'workspace_name', 'null')).to.equal(
      'workspace_name is "bothy" again, from its default.',
    )
    await says('set', 'who_invites', 'null')
    await refused(1, 'session_idle_minutes takes a number from 5', 'set', 'session_idle_minutes', '1')
    await refused(1, 'can only be changed in settings.json', 'set', 'channels', '["x"]')
    await refused(1, 'no setting named colour', 'set', 'colour', 'red')
    await refused(1, 'There is no setting named colour.', 'settings', '--key', 'colour')
    const log = await json<{ items: { action: string; target: string }[]; next: string | null }>(
      ...['audit', '--actor', 'CLI', '--action', 'setting', '--limit', '3'],
    )
    expect(log.items.map(({ target }) => target)).to.deep.equal([
      'who_invites',
      'workspace_name',
      'who_invites',
    ])
    expect(await says('audit', '--target', 'workspace_name', '--cursor', log.next!)).to.match(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z\tcli\tsetting\.changed\tworkspace_name\t\{"new":"Osier"/m,
    )
    expect(await json('stats')).to.include.keys('people', 'messages_per_day', 'database_bytes')
    expect(await says('stats')).to.match(/^people\t\d+$/m)
  })

  it('change nothing for bad input, and say why in a sentence or as JSON', async () => {
    const state = async () =>
      (
        await db.query(`select (select jsonb_agg(to_jsonb(users) order by username) from users) as users,
                               (select count(*) from audit_log) as entries, (select count(*) from invites) as invites`)
      ).rows
    const before = await state()
    for (const [exitCode, sentence, ...words] of [
      [2, 'Say one of', 'fly'],
      [2, 'Say one of', '__proto__'],
      [2, 'Usage: npm run admin -- approve <username>', 'approve'],
      [2, 'Usage: npm run admin -- approve <username>', 'approve', 'a', 'b'],
      [2, 'Usage: npm run admin -- people', 'people', '--colour', 'red'],
      [1, 'There is no account named nobody-here.', 'deactivate', 'nobody-here'],
      [1, 'role must be owner, admin, member or guest', 'role', 'bob', 'king'],
      [1, 'channels required', 'role', 'mallory', 'guest'],
      [1, 'type must be soft or hard', 'delete', 'bob', 'gently'],
      [1, 'That name is taken.', 'create', 'BOB'],
      [1, 'That name is taken.', 'rename', 'bob', 'cleo'],
      [1, 'email must be an address', 'create', 'new', '--email', 'nowhere'],
      [1, 'needs an owner', 'role', 'ada', 'member'],
      [1, 'needs an owner', 'deactivate', 'ada'],
      [1, 'needs an owner', 'delete', 'ada', 'hard'],
    ] as const)
      await refused(exitCode, sentence, ...words)
    const { exitCode, output } = await runCommand(['approve', 'bob', '--json'])
    expect(exitCode).to.equal(1)
    expect(JSON.parse(output)).to.deep.equal({
      error: 'The account does not wait for approval.',
      code: 'conflict',
    })
    expect(await state()).to.deep.equal(before)
  })

  it('say that a link opens on this computer only, unless PUBLIC_URL is set', async () => {
    const configured = process.env['PUBLIC_URL']
    delete process.env['PUBLIC_URL']
    const only = 'Only this computer can open this link. Set PUBLIC_URL'
    expect(await says('invite'))
      .to.match(/^http:\/\/localhost:\d+\/invite\//)
      .and.include(only)
    expect(await says('reset-password', 'bob')).to.include(only)
    process.env['PUBLIC_URL'] = 'https://chat.lan'
    try {
      expect(await says('invite'))
        .to.match(/^https:\/\/chat\.lan\/invite\//)
        .and.not.include(only)
      expect(await says('reset-password', 'bob')).to.not.include(only)
      process.env['PUBLIC_URL'] = 'chat.lan'
      await refused(1, 'PUBLIC_URL=chat.lan is not usable. Allowed: an http or https address', 'invite')
    } finally {
      process.env['PUBLIC_URL'] = configured
    }
  })
})
