import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { SessionPayload } from '#shared/domain/payloads/account.ts'
import type { DmPayload } from '#shared/domain/payloads/channels.ts'
import { newestNoticeId } from '#shared/notices/notice-log.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { settingsRead } from '#shared/test-kit/quiet.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { tokenHash } from './reset-password.ts'

const NEW = 'Another-kettle-2'

describe('passwords and sessions (interface 4.1, 5, 8)', () => {
  let world: World
  let events: RunningService
  let db: pg.Pool
  let redis: Redis
  before(async () => {
    world = await newWorld({ apis: 2 })
    events = await startService('events', world.backing.env)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
    redis = new Redis(world.backing.env.REDIS_URL)
  })
  after(async () => {
    redis?.disconnect()
    await db?.end()
    await events?.stop()
    await world?.end()
  })

  const at = (i: number) => world.api[i]!.url
  const newcomer = () => somebody(at(0)).signUp()

  /** The same user in another browser. */
  async function signedIn(person: Person, password = PASSWORD) {
    const phone = new Person(person.name, at(1))
    const response = await phone.postForm('/login', { username: person.name, password })
    expect(response.status).to.equal(302)
    return phone
  }

  const isIn = async (person: Person) => (await person.fetch('/channels')).status === 200
  const tokenOf = async (person: Person) =>
    (await person.get<{ csrf_token: string }>('/csrf_token')).csrf_token

  async function change(person: Person, given: Record<string, string> = {}) {
    return person.postForm('/change-password', {
      csrf_token: given['csrf_token'] ?? (await tokenOf(person)),
      current_password: PASSWORD,
      new_password: NEW,
      confirm_password: NEW,
      ...given,
    })
  }

  describe('changing the password', () => {
    it('returns the specified response, and only the new password works', async () => {
      const kim = await newcomer()
      const response = await change(kim)
      expect([response.status, await response.json()]).to.deep.equal([200, { status: 'ok', ok: true }])
      expect(response.headers.get('Content-Type')).to.match(/^application\/json/)
      await signedIn(kim, NEW)
      const page = await new Person('tab', at(0)).postForm('/login', {
        username: kim.name,
        password: PASSWORD,
      })
      expect(page.status).to.equal(200)
    })

    it('ends every other session and its streams within a second, and renews its own id', async () => {
      const kim = await newcomer()
      const phone = await signedIn(kim)
      const phoneTab = await openTab(events.url, phone.cookie)
      const ownTab = await openTab(events.url, kim.cookie)
      await phoneTab.waitFor(tab => tab.last.dms)
      const copied = kim.cookie

      expect((await change(kim)).status).to.equal(200)
      const began = performance.now()
      expect(await isIn(phone)).to.equal(false)
      await Promise.all([phoneTab.ended, ownTab.ended])
      expect(performance.now() - began).to.be.below(1_000)
      expect(await isIn(kim)).to.equal(true)
      expect(kim.cookie).to.not.equal(copied)
      expect(await isIn(Object.assign(new Person('thief', at(1)), { cookie: copied }))).to.equal(false)
      const again = await openTab(events.url, kim.cookie)
      await again.waitFor(tab => tab.last.dms)
      again.close()
    })

    it('leaves the sessions of other users alone', async () => {
      const [kim, lee] = [await newcomer(), await newcomer()]
      await change(kim)
      expect(await isIn(lee)).to.equal(true)
    })

    it('requires the token of the session', async () => {
      const [kim, lee] = [await newcomer(), await newcomer()]
      const wrong = ['', 'x', await tokenOf(lee), `${await tokenOf(kim)}x`]
      for (const csrf_token of wrong) {
        const response = await change(kim, { csrf_token })
        expect([response.status, await response.json()], csrf_token).to.deep.equal([
          403,
          { error: 'csrf_token is missing or wrong' },
        ])
      }
      const missing = await kim.postForm('/change-password', {
        current_password: PASSWORD,
        new_password: NEW,
        confirm_password: NEW,
      })
      expect(missing.status).to.equal(403)
      await signedIn(kim)
    })

    it('keeps the token, which open pages hold', async () => {
      const kim = await newcomer()
      const csrf_token = await tokenOf(kim)
      expect((await change(kim, { csrf_token })).status).to.equal(200)
      const back = { csrf_token, current_password: NEW, new_password: PASSWORD, confirm_password: PASSWORD }
      expect((await change(kim, back)).status).to.equal(200)
    })

    it('reports the reason: wrong current password, or the first rule not met', async () => {
      const kim = await newcomer()
      const cases: [given: Record<string, string>, error: string][] = [
        [{ current_password: 'no' }, 'Current password is incorrect'],
        [{ current_password: '' }, 'Current password is incorrect'],
        [{ current_password: 'no', new_password: 'x' }, 'Current password is incorrect'],
        [{ new_password: 'x' }, 'Use at least 8 characters.'],
        [{ new_password: '', confirm_password: '' }, 'Use at least 8 characters.'],
        [{ new_password: 'Kettle-on' }, 'Add at least one digit.'],
        [{ new_password: 'kettle-on-1' }, 'Add at least one uppercase letter.'],
        [{ new_password: 'KettleOn1' }, 'Add at least one special character, such as ! or #.'],
        [{ confirm_password: 'Kettle-on-1' }, 'The two passwords are not the same.'],
      ]
      const phone = await signedIn(kim)
      for (const [given, error] of cases) {
        const response = await change(kim, given)
        expect([response.status, await response.json()], JSON.stringify(given)).to.deep.equal([
          400,
          { error },
        ])
      }
      expect(await isIn(phone), 'nobody was sent away').to.equal(true)
      await signedIn(kim)
    })

    it('requires a session', async () => {
      const response = await new Person('tab', at(0)).postForm('/change-password')
      expect([response.status, response.headers.get('Location')]).to.deep.equal([302, '/login'])
    })

    it('accepts a multipart form too', async () => {
      const kim = await newcomer()
      const body = new FormData()
      body.set('csrf_token', await tokenOf(kim))
      body.set('current_password', PASSWORD)
      body.set('new_password', NEW)
      body.set('confirm_password', NEW)
      expect((await kim.fetch('/change-password', { method: 'POST', body })).status).to.equal(200)
    })

    it('succeeds for one of two concurrent requests', async () => {
      const kim = await newcomer()
      const phone = await signedIn(kim)
      // The second request may have lost its session, and could not fetch a token.
      const [own, other] = [await tokenOf(kim), await tokenOf(phone)]
      const answers = await Promise.all([
        change(kim, { csrf_token: own }),
        change(phone, { csrf_token: other, new_password: `${NEW}!`, confirm_password: `${NEW}!` }),
      ])
      expect(answers.filter(answer => answer.status === 200)).to.have.length(1)
    })

    it('also ends sessions that logged in with the old password meanwhile', async function () {
      this.timeout(180_000)
      for (let round = 0; round < 2; round++) {
        const kim = await newcomer()
        const guesses = Array.from({ length: 12 }, async (_, i) => {
          await new Promise(resolve => setTimeout(resolve, i * 2))
          const tab = new Person('tab', at(i % 2))
          await tab.postForm('/login', { username: kim.name, password: PASSWORD })
          return tab
        })
        const [answer, ...tabs] = await Promise.all([change(kim), ...guesses])
        expect(answer.status).to.equal(200)
        for (const tab of tabs) expect(await isIn(tab)).to.equal(false)
        expect(await isIn(kim)).to.equal(true)
      }
    })
  })

  describe('the list of sessions', () => {
    it('shows where the user is signed in, the current session first, without session ids', async () => {
      const kim = await newcomer()
      const phone = new Person(kim.name, at(1))
      await phone.fetch('/login', {
        method: 'POST',
        body: new URLSearchParams({ username: kim.name, password: PASSWORD }),
        headers: { 'User-Agent': 'Pocket/1.0' },
      })
      const list = await kim.get<SessionPayload[]>('/sessions')
      expect(list).to.have.length(2)
      expect(list.map(session => session.current)).to.deep.equal([true, false])
      expect(list[1]!.user_agent).to.equal('Pocket/1.0')
      for (const session of list) {
        expect(Object.keys(session).sort()).to.deep.equal([
          'created_ts',
          'current',
          'id',
          'last_seen_ts',
          'user_agent',
        ])
        expect(session.created_ts).to.be.closeTo(Date.now() / 1000, 30)
        expect(session.last_seen_ts).to.be.closeTo(Date.now() / 1000, 30)
        expect(kim.cookie + phone.cookie).to.not.include(session.id)
      }
      const other = await phone.get<SessionPayload[]>('/sessions')
      expect(other.map(session => session.id)).to.have.members(list.map(session => session.id))
      expect(other[0]!.id).to.equal(list[1]!.id)
    })

    it('omits expired and ended sessions', async () => {
      const kim = await newcomer()
      const phone = await signedIn(kim)
      await phone.fetch('/logout')
      expect(await kim.get('/sessions')).to.have.length(1)
      const keys = keysWith(world.backing.env.REDIS_PREFIX)
      await redis.zadd(keys.sessionsOf(kim.name), Date.now() / 1000 + 60, 'ran-out')
      expect(await kim.get('/sessions')).to.have.length(1)
    })

    it('ends another session and its streams', async () => {
      const kim = await newcomer()
      const phone = await signedIn(kim)
      const tab = await openTab(events.url, phone.cookie)
      const [, other] = await kim.get<SessionPayload[]>('/sessions')
      expect((await kim.fetch(`/sessions/${other!.id}`, { method: 'DELETE' })).status).to.equal(204)
      const began = performance.now()
      await tab.ended
      expect(performance.now() - began).to.be.below(1_000)
      expect([await isIn(phone), await isIn(kim)]).to.deep.equal([false, true])
      expect((await kim.fetch(`/sessions/${other!.id}`, { method: 'DELETE' })).status, 'once').to.equal(404)
    })

    it('of a person with thousands of sessions all end within a second, by a notice of a few bytes', async () => {
      const kim = await newcomer()
      const phone = await signedIn(kim)
      const keys = keysWith(world.backing.env.REDIS_PREFIX)
      const until = Date.now() / 1000 + 60
      const others = Array.from({ length: 5_000 }, (_, i) => [until, `another-session-of-a-person-${i}`])
      await redis.zadd(keys.sessionsOf(kim.name), ...others.flat())
      const tabs = [await openTab(events.url, phone.cookie), await openTab(events.url, phone.cookie)]
      const from = await newestNoticeId(redis, keys)
      expect((await change(kim)).status).to.equal(200)
      const began = performance.now()
      await Promise.all(tabs.map(tab => tab.ended))
      expect(performance.now() - began).to.be.below(1_000)
      expect([await isIn(phone), await isIn(kim)]).to.deep.equal([false, true])
      const notices = await redis.xrange(keys.notices(), `(${from}`, '+')
      expect(notices.map(([, [, text]]) => JSON.parse(text!))).to.deep.include({
        concerns: [],
        endedSessionsOf: kim.name,
      })
      for (const [, [, text]] of notices) expect(text!.length).to.be.below(1_000)
    })

    it('ends the current session as log-out does', async () => {
      const kim = await newcomer()
      const [own] = await kim.get<SessionPayload[]>('/sessions')
      const cookie = kim.cookie
      const response = await kim.fetch(`/sessions/${own!.id}`, { method: 'DELETE' })
      expect(response.status).to.equal(204)
      expect(response.headers.getSetCookie().join()).to.match(/session=;.*Expires=Thu, 01 Jan 1970/)
      kim.cookie = cookie
      expect(await isIn(kim)).to.equal(false)
    })

    it('contains no sessions of other users', async () => {
      const [kim, lee] = [await newcomer(), await newcomer()]
      const [own] = await kim.get<SessionPayload[]>('/sessions')
      for (const id of [own!.id, 'x', '%00', '__proto__', 'x'.repeat(5_000)]) {
        expect((await lee.fetch(`/sessions/${id}`, { method: 'DELETE' })).status, id).to.equal(404)
      }
      expect(await isIn(kim)).to.equal(true)
    })

    it('does not regain a session through a request that was in progress when it ended', async () => {
      const kim = await newcomer()
      const keys = keysWith(world.backing.env.REDIS_PREFIX)
      const [id] = await redis.zrange(keys.sessionsOf(kim.name), '0', '-1')
      const record = JSON.parse((await redis.get(keys.session(id!)))!)
      // Old enough for the next request to renew it.
      await redis.set(
        keys.session(id!),
        JSON.stringify({ ...record, seen_ts: record.seen_ts - 600 }),
        'EX',
        600,
      )
      const slow = request(`${at(0)}/settings`, {
        method: 'POST',
        headers: { Cookie: kim.cookie, 'Content-Type': 'application/json', 'Content-Length': 2 },
      })
      slow.flushHeaders()
      await new Promise(resolve => setTimeout(resolve, 100))
      const phone = await signedIn(kim)
      const other = (await phone.get<SessionPayload[]>('/sessions')).find(session => !session.current)
      expect((await phone.fetch(`/sessions/${other!.id}`, { method: 'DELETE' })).status).to.equal(204)
      slow.end('{}')
      const [response] = await once(slow, 'response')
      expect(response.statusCode).to.equal(204)
      response.resume()
      expect(await isIn(kim)).to.equal(false)
      expect(await redis.exists(keys.session(id!))).to.equal(0)
    })
  })

  describe('a reset link', () => {
    const run = promisify(execFile)
    const admin = (...args: string[]) =>
      run(process.execPath, [join(ROOT, 'infra/tools/admin.ts'), ...args], {
        env: { ...process.env, ...world.backing.env, PUBLIC_URL: 'https://chat.osier.lan' },
      })

    async function issued(person: Person) {
      const { stdout } = await admin('reset-password', person.name)
      return /https:\/\/chat\.osier\.lan(\/reset-password\/[\w-]{43})\n/.exec(stdout)![1]!
    }

    const tokenIn = (path: string) => path.split('/').at(-1)!
    const reset = (path: string, given: Record<string, string> = {}, i = 0) =>
      new Person('tab', at(i)).postForm(path, { password: NEW, confirm_password: NEW, ...given })
    const titleIn = (page: string) => /<h1>(.*)<\/h1>/.exec(page)![1]

    it('is printed once by the operator’s tool; only its hash is stored, for a day', async () => {
      const kim = await newcomer()
      const path = await issued(kim)
      const { rows } = await db.query('select * from reset_tokens where username = $1', [kim.name])
      expect(rows).to.have.length(1)
      expect(rows[0].token_hash.equals(tokenHash(tokenIn(path)))).to.equal(true)
      expect(rows[0].expires_ts - rows[0].issued_ts).to.equal(86_400)
      expect(rows[0].issued_ts).to.be.closeTo(Date.now() / 1000, 30)
      expect(JSON.stringify(rows)).to.not.include(tokenIn(path))
    })

    it('is for existing accounts, by name in any case; the tool prints its usage', async () => {
      const kim = await new Person('Kim', at(0)).signUp()
      const { stdout } = await admin('reset-password', 'KIM')
      expect(stdout).to.include('Give this link to Kim ')
      expect(await isIn(kim)).to.equal(true)
      const wrong = [
        [['reset-password', 'nobody-here'], 'There is no account named nobody-here.'],
        [['reset-password', 'a b'], 'There is no account named a b.'],
        [['reset-password'], 'reset-password <username>'],
        [['reset-password', 'a', 'b'], 'reset-password <username>'],
        [['__proto__'], 'reset-password <username>'],
        [[], 'reset-password <username>'],
      ] as const
      // Each run is a process.
      await Promise.all(
        wrong.map(async ([args, says]) => {
          const failure = await admin(...args).then(
            () => expect.fail('it must not succeed'),
            err => err as { code: number; stderr: string },
          )
          expect(failure.code, args.join(' ')).to.be.oneOf([1, 2])
          expect(failure.stderr).to.include(says)
        }),
      )
    })

    it('is announced to the owner in a DM from bothy, where nobody can reply', async () => {
      const kim = await newcomer()
      const tab = await openTab(events.url, kim.cookie)
      await tab.waitFor(({ last }) => last.dms)
      await issued(kim)
      const channel = `dm:${[kim.name, 'system'].sort().join(':')}`
      const expected: DmPayload = { channel, users: ['system'], unread: 1 }
      await tab.waitFor(({ last }) => last.dms?.length === 1)
      expect(tab.last.dms).to.deep.equal([expected])
      tab.close()
      expect(await kim.get('/dms')).to.deep.equal([expected])
      const [line] = await kim.messages(channel)
      expect(line).to.include({ sender: 'system', content_type: 'system', channel })
      expect(line!.content).to.match(/new password for your account/)
      expect(await kim.get('/unread_count')).to.deep.equal({ count: 1 })
      expect((await kim.markRead(channel)).status).to.equal(204)
      expect(await kim.get('/unread_count')).to.deep.equal({ count: 0 })

      const answer = await kim.postForm(`/send/${channel}`, { text: 'thanks' })
      expect([answer.status, await answer.text()]).to.deep.equal([400, 'no account named system'])
      expect((await world.mallory.fetch(`/messages/${channel}`)).status).to.equal(403)
      expect((await world.mallory.fetch(`/message/${line!.id}`)).status).to.equal(404)
      const group = await world.mallory.postForm(`/send/dm:mallory:system`, { text: 'hello' })
      expect([group.status, await group.text()]).to.deep.equal([400, 'no account named system'])
    })

    it('shows a form for the account that works without a script', async () => {
      const kim = await newcomer()
      const path = await issued(kim)
      const response = await fetch(at(0) + path)
      const page = await response.text()
      expect(response.status).to.equal(200)
      expect(response.headers.get('Cache-Control')).to.equal('no-store')
      expect(titleIn(page)).to.equal('Choose a new password')
      expect(page).to.include(`For the account <b>${kim.name}</b>.`)
      expect(page).to.include('<form class="form" method="post" novalidate>')
      expect(page).to.include('name="password"').and.include('name="confirm_password"')
      expect(page).to.not.match(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/)
      expect(page, 'the token is in the address alone').to.not.include(tokenIn(path))
    })

    it('sets the password once, lifts a lockout, ends all sessions and does not log in', async () => {
      const kim = await newcomer()
      const tab = await openTab(events.url, kim.cookie)
      await tab.waitFor(({ last }) => last.dms)
      await db.query('update users set failed_attempts = 5, lockout_until = $2 where username = $1', [
        kim.name,
        Date.now() / 1000 + 900,
      ])
      const path = await issued(kim)
      const stranger = new Person('tab', at(1))
      const response = await stranger.postForm(path, { password: NEW, confirm_password: NEW })
      const began = performance.now()
      expect([response.status, titleIn(await response.text())]).to.deep.equal([200, 'Password changed'])
      expect(await isIn(stranger)).to.equal(false)
      expect(await isIn(kim)).to.equal(false)
      await tab.ended
      expect(performance.now() - began).to.be.below(1_000)
      await signedIn(kim, NEW)
      const { rows } = await db.query(
        'select failed_attempts, lockout_until from users where username = $1',
        [kim.name],
      )
      expect(rows).to.deep.equal([{ failed_attempts: 0, lockout_until: null }])
      const again = await reset(path, { password: PASSWORD, confirm_password: PASSWORD })
      expect(titleIn(await again.text())).to.equal('This link does not work')
      await signedIn(kim, NEW)
    })

    it('shows the same page when it is used, expired, replaced or unknown', async () => {
      const [kim, lee, max] = [await newcomer(), await newcomer(), await newcomer()]
      const used = await issued(kim)
      await reset(used)
      const late = await issued(lee)
      await db.query('update reset_tokens set expires_ts = $2 where username = $1', [
        lee.name,
        Date.now() / 1000 - 1,
      ])
      const replaced = await issued(max)
      const newer = await issued(max)
      const paths = [
        used,
        late,
        replaced,
        `/reset-password/${'x'.repeat(43)}`,
        '/reset-password/x',
        '/reset-password/%00',
        `/reset-password/${'x'.repeat(5_000)}`,
      ]
      const pages = new Set<string>()
      for (const path of paths) {
        for (const response of [
          await fetch(at(0) + path),
          await reset(path),
          await reset(path, { password: 'x' }),
        ]) {
          expect(response.status, path).to.equal(200)
          pages.add(await response.text())
        }
      }
      expect(pages.size).to.equal(1)
      expect(titleIn([...pages][0]!)).to.equal('This link does not work')
      await signedIn(lee)
      expect(titleIn(await (await reset(newer)).text())).to.equal('Password changed')
    })

    it('stays valid after a password that breaks a rule', async () => {
      const kim = await newcomer()
      const path = await issued(kim)
      for (const [given, says] of [
        [{ password: 'x', confirm_password: 'y' }, 'Use at least 8 characters.'],
        [{ confirm_password: 'Kettle-on-1' }, 'The two passwords are not the same.'],
        [{ password: '', confirm_password: '' }, 'Add at least one digit.'],
      ] as const) {
        const page = await reset(path, given)
        expect(page.status).to.equal(200)
        expect(await page.text()).to.include(`<span>${says}</span>`)
      }
      await signedIn(kim)
      expect(titleIn(await (await reset(path)).text())).to.equal('Password changed')
    })

    it('works for one of two concurrent requests', async () => {
      for (let round = 0; round < 4; round++) {
        const kim = await newcomer()
        const path = await issued(kim)
        const passwords = Array.from({ length: 6 }, (_, i) => `${NEW}-${i}`)
        const answers = await Promise.all(
          passwords.map((password, i) => reset(path, { password, confirm_password: password }, i % 2)),
        )
        const titles = await Promise.all(answers.map(async answer => titleIn(await answer.text())))
        expect(titles.filter(title => title === 'Password changed')).to.have.length(1)
        await signedIn(kim, passwords[titles.indexOf('Password changed')])
      }
    })

    it('requires a valid form token when one is sent or the browser is signed in', async () => {
      const kim = await newcomer()
      const path = await issued(kim)
      const tab = new Person('tab', at(0))
      const token = /name="csrf_token" value="([^"]*)"/.exec(await (await tab.fetch(path)).text())![1]!
      const wrong = await tab.postForm(path, {
        password: NEW,
        confirm_password: NEW,
        csrf_token: `${token}x`,
      })
      expect(wrong.status).to.equal(403)
      expect(await wrong.text()).to.include(`value="${token}"`)
      const without = await kim.postForm(path, { password: NEW, confirm_password: NEW })
      expect(without.status).to.equal(403)
      expect(await isIn(kim)).to.equal(true)
      const right = await tab.postForm(path, { password: NEW, confirm_password: NEW, csrf_token: token })
      expect(titleIn(await right.text())).to.equal('Password changed')
    })

    it('is rate-limited by address', async () => {
      const kim = await newcomer()
      const path = await issued(kim)
      world.backing.settings({ rate_limits: { account: [4, 60] } })
      await settingsRead()
      try {
        for (let i = 0; i < 2; i++) expect((await fetch(`${at(0)}/reset-password/x`)).status).to.equal(200)
        const tooMany = await fetch(`${at(1)}/reset-password/x`)
        expect([tooMany.status, Number(tooMany.headers.get('Retry-After')) > 0]).to.deep.equal([429, true])
        expect((await reset(path)).status).to.equal(429)
        expect((await fetch(at(0) + path)).status, 'looking at a good one costs nothing').to.equal(200)
      } finally {
        world.backing.settings({ rate_limit_enabled: false })
        await settingsRead()
      }
    })

    it('never appears in a log', async () => {
      const quiet = await startService('api', { ...world.backing.env, LOG_LEVEL: 'debug' })
      try {
        const kim = await newcomer()
        const path = await issued(kim)
        await world.backing.admin('alter table reset_tokens rename to reset_tokens_away')
        const failed = await fetch(quiet.url + path)
        await world.backing.admin('alter table reset_tokens_away rename to reset_tokens')
        expect(failed.status).to.equal(500)
        await fetch(`${quiet.url}${path}/and-more`, { redirect: 'manual' })
        await fetch(quiet.url + path)
        await eventually(() => expect(quiet.output()).to.include('/reset-password/:token'))
        await fetch(quiet.url + path, {
          method: 'POST',
          body: new URLSearchParams({ password: NEW, confirm_password: NEW }),
        })
        await eventually(() => expect(quiet.output()).to.include('password reset'))
        expect(quiet.output()).to.include('request failed')
        expect(quiet.output()).to.not.include(tokenIn(path))
        expect(quiet.output()).to.not.include(NEW)
      } finally {
        await quiet.stop()
      }
    })
  })
})
