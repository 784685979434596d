import { expect } from 'chai'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the own account (interface 16.1)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2 })
  })
  after(() => world.end())

  const meOf = (person: Person) => person.get<MePayload>('/me')

  it('has a profile, a role and the rights that apply now', async () => {
    expect(await meOf(world.bob)).to.deep.equal({
      username: 'bob',
      display_name: null,
      title: null,
      email: null,
      email_verified: false,
      role: 'member',
      timezone: null,
      may: ['create_channels', 'mention_everyone', 'add_emoji', 'make_tokens', 'make_hooks'],
      preferences_rev: 0,
      saved: 0,
      due: 0,
      scheduled: 0,
      failed: 0,
      drafts_rev: 0,
      later_rev: 0,
    })
    expect((await meOf(world.ada)).may).to.include.members(['invite', 'administer', 'own'])
  })

  it('takes a display name, a title and a time zone; empty ones are removed', async () => {
    const { bob } = world
    const profile = { display_name: '  Bob O’Hara 🎉 ', title: 'Sound', timezone: 'Europe/Oslo' }
    expect((await bob.patchJson('/me', { ...profile, role: 'owner' })).status).to.equal(204)
    expect(await meOf(bob)).to.include({ ...profile, display_name: 'Bob O’Hara 🎉', role: 'member' })
    expect((await bob.patchJson('/me', { title: '' })).status).to.equal(204)
    expect(await meOf(bob)).to.include({ title: null, timezone: 'Europe/Oslo' })
    await bob.patchJson('/me', { display_name: null, timezone: null })
    expect(await meOf(bob)).to.include({ display_name: null, title: null, timezone: null })
  })

  it('changes all given fields or none', async () => {
    const { bob } = world
    for (const [change, code] of [
      [{ display_name: 'x'.repeat(81) }, 'too_long'],
      [{ title: 'two\nlines' }, 'invalid'],
      [{ title: 7 }, 'required'],
      [{ timezone: 'Mars/Base' }, 'invalid'],
      [{ timezone: '+01:00' }, 'invalid'],
    ] as const) {
      const response = await bob.patchJson('/me', { display_name: 'B', ...change })
      expect(response.status).to.equal(400)
      expect(((await response.json()) as { code: string }).code).to.equal(code)
    }
    expect((await meOf(bob)).display_name).to.equal(null)
  })

  it('has a session that tells since when, and until when its password counts', async () => {
    const now = Date.now() / 1_000
    const session = await world.bob.get<{ by: string; created_ts: number; confirmed_until: number }>(
      '/session',
    )
    expect(session).to.deep.include({ by: 'password', must: [] })
    expect(session.created_ts).to.be.closeTo(now, 60)
    expect(session.confirmed_until - session.created_ts).to.be.closeTo(15 * 60, 1)
  })

  it('needs a session', async () => {
    for (const path of ['/me', '/session', '/workspace', '/admin/settings']) {
      const response = await fetch(world.api[0]!.url + path, { redirect: 'manual' })
      expect([response.status, response.headers.get('Location')], path).to.deep.equal([302, '/login'])
    }
  })
})
