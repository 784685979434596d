import { expect } from 'chai'
import pg from 'pg'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, somebody } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** The janitor, which makes them, is tested in services/janitor/backups.slow.test.ts. */
describe('the backups of the administration', () => {
  interface Listed {
    items: { id: number; asked_by: string | null; ok: boolean; name: string | null }[]
    next_at: number | null
    problem: string | null
    say: string
  }
  let world: World
  before(async () => {
    world = await newWorld()
    await world.ada.postJson('/confirm', { password: PASSWORD })
  })
  after(() => world.end())

  /** As the janitor does while it writes. */
  const takeLocksOfBackup = async (client: pg.Client) => {
    for (const lock of [ADVISORY_LOCKS.backupRound, ADVISORY_LOCKS.backup]) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as ours', [lock])
      expect(rows).to.deep.equal([{ ours: true }])
    }
  }

  const ask = () => world.ada.postJson('/admin/backups', {})
  const list = () => world.ada.get<Listed>('/admin/backups')

  it('are for owners: administrators and members are refused', async () => {
    const { ada, bob, cleo } = world
    expect((await ada.patchJson('/admin/people/bob', { role: 'admin' })).status).to.equal(204)
    for (const person of [bob, cleo]) {
      await person.postJson('/confirm', { password: PASSWORD })
      expect((await person.fetch('/admin/backups')).status, person.name).to.equal(403)
      expect((await person.postJson('/admin/backups', {})).status, person.name).to.equal(403)
    }
  })

  it('say why there are none, and are then not asked for', async () => {
    const none = { items: [], next_at: null, folder: null }
    const notStarted = { problem: 'not_started', say: 'The janitor has not started yet.' }
    expect(await list()).to.deep.equal({ ...none, ...notStarted })
    await world.backing.admin(
      `insert into backup_target (folder, problem, since_ts) values (null, 'BACKUP_DIR is not set.', 0)`,
    )
    const refused = await ask()
    expect(refused.status).to.equal(409)
    expect(await refused.json()).to.deep.equal({ error: 'BACKUP_DIR is not set.', code: 'conflict' })
    expect(await list()).to.deep.equal({ ...none, problem: 'no_folder', say: 'BACKUP_DIR is not set.' })
    await world.backing.admin(`update backup_target set folder = '/backups', problem = 'Read-only.'`)
    expect(await list()).to.include({ folder: '/backups', problem: 'not_writable', say: 'Read-only.' })
  })

  it('are asked for once while one waits, with an entry in the audit log, and tell when one was proven', async () => {
    await world.backing.admin(`update backup_target set folder = '/backups', problem = null`)
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 202, 202])
    const ids = await Promise.all(answers.map(answer => answer.json()))
    const { items, next_at, say } = await list()
    expect(items).to.have.length(1)
    expect(ids).to.deep.equal(Array(3).fill({ id: items[0]!.id }))
    expect(items[0]).to.include({ asked_by: 'ada', ok: false })
    expect(next_at).to.be.within(Date.now() / 1000 - 5, Date.now() / 1000 + 86_405)
    expect(say).to.equal('No restore was proven yet.')
    const audit = await world.ada.get<{ items: object[] }>('/admin/audit?action=backup')
    expect(audit.items).to.have.length(1)
    await world.backing.admin(
      `update backups set path = '/backups/2026-11-23T02-00-00Z', started_ts = asked_ts, done_ts = asked_ts, ok = true, seconds_to_restore = 40.2,
              verified_ts = extract(epoch from clock_timestamp()) - 6 * 3600 - 60`,
    )
    const proven = await list()
    expect(proven.say).to.equal('Restore last proven 6 h ago, took 41 s.')
    expect(proven.items[0]!.name).to.equal('2026-11-23T02-00-00Z')
    expect((await ask()).status).to.equal(202)
    expect((await list()).items).to.have.length(2)
  })

  it('are not asked for again while a janitor makes one, but after it was killed', async () => {
    await world.backing.admin(`update backups set started_ts = asked_ts, done_ts = null`)
    const janitor = new pg.Client(world.backing.adminDatabaseUrl)
    await janitor.connect()
    const id = (await list()).items[0]!.id
    try {
      await janitor.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.backupRound])
      for (const answer of [await ask(), await ask()]) expect(await answer.json()).to.deep.equal({ id })
      expect((await list()).items).to.have.length(2)
    } finally {
      await janitor.end()
    }
    await eventually(async () => {
      expect(await (await ask()).json()).to.not.deep.equal({ id })
    })
    expect((await list()).items).to.have.length(3)
  })

  it('let people sign up and change their profiles, and administrators act on them, while one is made', async () => {
    const { ada, cleo } = world
    const janitor = new pg.Client(world.backing.env.DATABASE_URL)
    await janitor.connect()
    try {
      await takeLocksOfBackup(janitor)
      const begun = performance.now()
      await somebody(ada.at).signUp()
      for (const answer of [
        await cleo.patchJson('/me', { title: 'Night shift' }),
        await cleo.putJson('/status', { emoji: '🌙', text: 'On call' }),
        await ada.patchJson('/admin/people/mallory', { title: 'Day shift' }),
        await ada.postJson('/admin/people/mallory/end_sessions', {}),
      ])
        expect(answer.status, await answer.text()).to.equal(204)
      expect(performance.now() - begun).to.be.below(3_000)
    } finally {
      await janitor.end()
    }
  })

  it('are begun while an owner is being made', async () => {
    const [owner, janitor] = [1, 2].map(() => new pg.Client(world.backing.env.DATABASE_URL))
    await Promise.all([owner!.connect(), janitor!.connect()])
    try {
      await owner!.query('begin')
      await lockOwnership(owner!)
      await owner!.query('select next_people_rev()')
      await takeLocksOfBackup(janitor!)
    } finally {
      await Promise.all([owner!.end(), janitor!.end()])
    }
  })
})
