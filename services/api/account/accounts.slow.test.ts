import { once } from 'node:events'
import { get } from 'node:http'
import { expect } from 'chai'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import pg from 'pg'
import { isUsername } from '#shared/domain/username.ts'
import { collectionsIn } from '#shared/notices/notice.ts'
import { readNotices } from '#shared/notices/notice-log.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { settingsRead } from '#shared/test-kit/quiet.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { USERNAME_PATTERN } from './form-fields.ts'
import { lockedFor } from './sign-in/log-in.ts'

const INVALID = 'Invalid username or password.'
const LOCKED = /Too many failed attempts\. Try again in (\d+) minutes?\./

let backing: TestBacking
let api: RunningService
let db: pg.Pool
let redis: Redis

describe('accounts (interface 2.1, 3.3, 3.5, 4.1, 5, 7, 8)', () => {
  before(async () => {
    backing = await testBacking()
    api = await startService('api', backing.env)
    db = new pg.Pool({ connectionString: backing.env.DATABASE_URL, max: 2 })
    redis = new Redis(backing.env.REDIS_URL)
  })
  after(async () => {
    redis?.disconnect()
    await db?.end()
    await api?.stop()
    await backing?.drop()
  })

  describe('signing up', () => {
    it('creates an account, a session and a greeting, and opens the chat', async () => {
      const ada = stranger('ada')
      const response = await signUp(ada)
      expect([response.status, response.headers.get('Location')]).to.deep.equal([302, '/'])
      expect(response.headers.get('Set-Cookie')).to.match(
        /^session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      )
      expect((await ada.fetch('/')).status).to.equal(200)
      const messages = await ada.messages('general')
      expect(messages.at(-1)).to.include({
        sender: 'system',
        content: 'Welcome to bothy, ada! Say hello.',
        content_type: 'system',
      })
    })

    it('accepts a multipart form, as log-in does', async () => {
      const multipart = (fields: Record<string, string>) => {
        const body = new FormData()
        for (const [name, value] of Object.entries(fields)) body.set(name, value)
        return { method: 'POST', body }
      }
      const name = 'in-parts'
      const credentials = { username: name, password: PASSWORD }
      const signedUp = await stranger(name).fetch(
        '/signup',
        multipart({ ...credentials, confirm_password: PASSWORD }),
      )
      expect([signedUp.status, signedUp.headers.get('Location')]).to.deep.equal([302, '/'])
      const loggedIn = await stranger(name).fetch('/login', multipart(credentials))
      expect([loggedIn.status, loggedIn.headers.get('Location')]).to.deep.equal([302, '/'])
    })

    it('leaves the greeting unread and marks all earlier messages as read', async () => {
      const bob = await somebody(api.url).signUp()
      await bob.send('general', 'long before dora')
      await bob.send('general', 'just before dora')
      const dora = await somebody(api.url).signUp()
      expect(await dora.get('/channel_unreads')).to.deep.equal({ general: 1 })
      await bob.send('general', 'hello dora')
      expect(await dora.get('/channel_unreads')).to.deep.equal({ general: 2 })
    })

    it('lists every rule that is not met, and keeps the typed name', async () => {
      const page = await pageOf(signUp(stranger('a b'), { password: 'x', confirm_password: 'y' }))
      expect(page).to.include('Use 1 to 32 letters, digits, hyphens or underscores for the username.')
      expect(page).to.include('Use at least 8 characters.')
      expect(page).to.include('Add at least one digit.')
      expect(page).to.include('Add at least one uppercase letter.')
      expect(page).to.include('Add at least one special character, such as ! or #.')
      expect(page).to.include('The two passwords are not the same.')
      expect(page).to.include('value="a b"')
    })

    for (const [rule, password] of [
      ['Use at least 8 characters.', 'Ab1!xyz'],
      ['Use at most 1,024 characters.', `Ab1!${'x'.repeat(1_024)}`],
      ['Add at least one digit.', 'Kettle-on'],
      ['Add at least one uppercase letter.', 'kettle-on-1'],
      ['Add at least one special character, such as ! or #.', 'KettleOn1'],
    ] as const) {
      it(`refuses a password alone for: ${rule}`, async () => {
        const page = await pageOf(signUp(somebody(api.url), { password, confirm_password: password }))
        expect(problemsIn(page)).to.deep.equal([rule])
      })
    }

    it('refuses reserved names in any case', async () => {
      for (const name of ['appname', 'Bothy', 'SYSTEM', 'everyone', 'DeletedUser']) {
        expect(problemsIn(await pageOf(signUp(stranger(name)))), name).to.deep.equal([
          'That name is reserved.',
        ])
      }
    })

    it('gives a name out once, in any case, also between concurrent sign-ups', async () => {
      const spellings = ['Cleo', 'cleo', 'CLEO', 'cLeo']
      const answers = await Promise.all(spellings.map(name => signUp(stranger(name))))
      expect(answers.map(answer => answer.status).sort()).to.deep.equal([200, 200, 200, 302])
      for (const answer of answers.filter(({ status }) => status === 200)) {
        expect(problemsIn(await answer.text())).to.deep.equal(['That name is taken.'])
      }
    })

    describe('with a name', () => {
      const by = (display_name: string, fields = {}) => {
        const person = somebody(api.url)
        const rest = { username: '', password: PASSWORD, confirm_password: PASSWORD, ...fields }
        return person.postForm('/signup', { display_name, ...rest }).then(response => ({ person, response }))
      }
      const namesOf = async ({ person, response }: Awaited<ReturnType<typeof by>>) => {
        expect(response.status).to.equal(302)
        const { username, display_name } = await person.get<Record<string, string>>('/me')
        return [username, display_name]
      }

      it('makes the username from it, with a number if it is taken', async () => {
        expect(await namesOf(await by('  Jonas  Weiß '))).to.deep.equal(['jonas-weiss', 'Jonas Weiß'])
        const typed = await by('Jonas Weiß', { username: 'jonas-weiss' })
        expect(await namesOf(typed)).to.deep.equal(['jonas-weiss-2', 'Jonas Weiß'])
        expect(await namesOf(await by('System'))).to.deep.equal(['system-2', 'System'])
        const many = await Promise.all(['Ines', 'Ines', 'Ines'].map(name => by(name)))
        const made = await Promise.all(many.map(async one => (await namesOf(one))[0]))
        expect(made.sort()).to.deep.equal(['ines', 'ines-2', 'ines-3'])
      })

      it('keeps a typed username, and refuses a taken one', async () => {
        expect(await namesOf(await by('Kim Berg', { username: 'kimchi' }))).to.deep.equal([
          'kimchi',
          'Kim Berg',
        ])
        const { response } = await by('Kim Berg', { username: 'KIMCHI' })
        expect(problemsIn(await response.text())).to.deep.equal(['That name is taken.'])
      })

      it('asks for a username where the name makes none, and refuses a long name', async () => {
        const { response } = await by('佐藤')
        const page = await response.text()
        expect(problemsIn(page)).to.have.length(1)
        expect(page).to.include('value="佐藤"')
        expect(await (await by('x'.repeat(81))).response.text()).to.include('at most 80 characters')
      })
    })

    it('allows names that are JavaScript properties, such as __proto__', async () => {
      for (const name of ['__proto__', 'constructor', '-', '_', '0', 'x'.repeat(32)]) {
        const person = stranger(name)
        expect((await signUp(person)).status, name).to.equal(302)
        expect((await person.fetch('/channels')).status, name).to.equal(200)
      }
    })

    it('refuses malformed fields with the form, never with a 5xx', async () => {
      const usual = `password=${PASSWORD}&confirm_password=${PASSWORD}`
      const bodies = [
        '',
        'username',
        'username=',
        `username[]=ada&${usual}`,
        `username=x&username=y&${usual}`,
        `username=%00&${usual}`,
        `username=ada%00&${usual}`,
        `username=%ED%A0%80&${usual}`,
        `username=%ff%fe&${usual}`,
        `username=%3Cscript%3E&${usual}`,
        `username=__proto__%20&${usual}`,
        `username=${'x'.repeat(33)}&${usual}`,
        `username=${'x'.repeat(500_000)}&${usual}`,
        '__proto__=1&constructor=2&hasOwnProperty=3',
      ]
      for (const body of bodies) {
        const page = await pageOf(postRaw('/signup', body))
        expect(problemsIn(page), body.slice(0, 60)).to.not.be.empty
        expect(page).to.not.include('<script>')
      }
      expect((await postRaw('/signup', `username=${'x'.repeat(2_000_000)}`)).status).to.equal(413)
      expect((await postRaw('/signup', '{"username":', 'application/json')).status).to.equal(200)
    })

    it('succeeds when the greeting cannot be posted', async () => {
      // The channel's clock is exhausted: no further message can be inserted.
      await db.query(`update channels set clock_us = 9223372036854775807 where id = 'general'`)
      try {
        const dora = somebody(api.url)
        expect((await signUp(dora)).status).to.equal(302)
        expect((await dora.fetch('/channels')).status).to.equal(200)
      } finally {
        await db.query(`update channels set clock_us = (newest_ts * 1000000)::bigint where id = 'general'`)
      }
    })

    it('posts no greeting without a public channel', async () => {
      backing.settings({ rate_limit_enabled: false, channels: [] })
      await settingsRead()
      const messages = async () => (await db.query('select count(*) from messages')).rows[0].count
      const before = await messages()
      const una = somebody(api.url)
      expect((await signUp(una)).status).to.equal(302)
      expect(await una.get('/channels')).to.deep.equal([])
      expect(await messages()).to.equal(before)
      backing.settings({ rate_limit_enabled: false })
      await settingsRead()
    })

    it('publishes the channels whose receipts include the new account', async () => {
      const keys = keysWith(backing.env.REDIS_PREFIX)
      await somebody(api.url).signUp()
      await eventually(async () => {
        const notices = await readNotices(redis, keys, '0-0', 1)
        expect(
          notices.some(({ notice }) => notice && collectionsIn(notice).includes('read_receipts')),
        ).to.equal(true)
      })
    })
  })

  describe('signing in', () => {
    atOnce({
      'returns the same page for every wrong input, three seconds after the request': async () => {
        const frank = await somebody(api.url).signUp()
        const long = 'x'.repeat(100_000)
        const attempts: [string, string][] = [
          [frank.name, 'Wrong-password-1'],
          [frank.name, ''],
          ['nobody-here', PASSWORD],
          ['', ''],
          ['<b>&"', PASSWORD],
          ['nul\0nul', PASSWORD],
          [`${frank.name}\0`, PASSWORD],
          [long, long],
        ]
        await Promise.all(
          attempts.map(async ([username, password]) => {
            const began = performance.now()
            const response = await logIn(stranger('tab'), username, password)
            const page = await response.text()
            const took = performance.now() - began
            const what = JSON.stringify([username.slice(0, 20), password.slice(0, 20)])
            expect(response.status, what).to.equal(200)
            expect(noticeIn(page), what).to.equal(INVALID)
            expect(took, what).to.be.within(2_990, 4_500)
            expect(page).to.not.include('<b>&"')
          }),
        )
      },

      'keeps the typed name in the form, escaped': async () => {
        const page = await pageOf(logIn(stranger('tab'), '"><img src=x>', 'no'))
        expect(page).to.include('value="&quot;&gt;&lt;img src=x&gt;"')
      },

      'refuses malformed fields with the form, never with a 5xx': async () => {
        const bodies = [
          '',
          'username[]=ada&password[]=x',
          'username=a&username=b',
          'password=x',
          '__proto__[a]=b',
        ]
        const pages = await Promise.all(bodies.map(body => pageOf(postRaw('/login', body))))
        for (const page of pages) expect(noticeIn(page)).to.equal(INVALID)
      },

      'tolerates a client that disconnects during the delay': async () => {
        await Promise.all(
          Array.from({ length: 5 }, async () => {
            const closed = AbortSignal.timeout(300)
            await stranger('tab')
              .fetch('/login', {
                method: 'POST',
                body: fields({ username: 'x', password: 'y' }),
                signal: closed,
              })
              .catch(() => {})
          }),
        )
        expect((await fetch(`${api.url}/readyz?stores`)).status).to.equal(200)
      },
    })

    it('accepts the name in any case and with surrounding spaces, and opens the chat', async () => {
      const erin = await new Person('Erin', api.url).signUp()
      for (const username of ['Erin', 'erin', 'ERIN', '  erin\t']) {
        const tab = stranger('tab')
        const response = await logIn(tab, username)
        expect([response.status, response.headers.get('Location')], username).to.deep.equal([302, '/'])
        expect(await (await tab.fetch('/')).text()).to.include('<meta name="viewer" content="Erin">')
      }
      expect((await erin.fetch('/')).status, 'the first session goes on').to.equal(200)
    })

    it('serves others immediately while a hundred failures are delayed', async () => {
      const gail = await somebody(api.url).signUp()
      const failures = Array.from({ length: 100 }, () => logIn(stranger('tab'), 'nobody-here', 'no'))
      // Others get 429 at once, because too many hashes wait.
      let delayed = 0
      const all = failures.map(async failure => {
        if ((await failure).status === 200) delayed++
      })
      for (let i = 0; i < 20; i++) await gail.get('/channel_unreads')
      expect(delayed, 'twenty requests take less than the delay of a failure').to.equal(0)
      await Promise.all(all)
      expect(delayed).to.be.above(0)
    })

    it('rehashes a password stored with fewer iterations', async () => {
      const hank = await somebody(api.url).signUp()
      const { rows } = await db.query('select password_hash from users where username = $1', [hank.name])
      expect(rows[0].password_hash).to.match(/^pbkdf2-sha256\$1000\$/)
      const api2 = await startService('api', { ...backing.env, PASSWORD_ITERATIONS: '1500' })
      try {
        expect((await logIn(new Person('tab', api2.url), hank.name)).status).to.equal(302)
        const after = await db.query('select password_hash from users where username = $1', [hank.name])
        expect(after.rows[0].password_hash).to.match(/^pbkdf2-sha256\$1500\$/)
        expect((await logIn(stranger('tab'), hank.name)).status, 'and never back').to.equal(302)
        const last = await db.query('select password_hash from users where username = $1', [hank.name])
        expect(last.rows[0].password_hash).to.equal(after.rows[0].password_hash)
      } finally {
        await api2.stop()
      }
    })

    it('logs a warning at start when hashes are cheap', () => {
      expect(api.output()).to.include('PASSWORD_ITERATIONS is for tests')
    })
  })

  describe('lockout', () => {
    atOnce({
      'locks an account at its fifth failure, all counted when they come at once, also for the right password':
        async () => {
          const ines = await somebody(api.url).signUp()
          const failures = times(5, () => pageOf(logIn(stranger('tab'), ines.name, 'no')))
          await counted(ines, 5)

          const began = performance.now()
          const locked = await pageOf(logIn(stranger('tab'), ines.name))
          expect(performance.now() - began).to.be.above(2_990)
          expect(noticeIn(locked)).to.match(LOCKED)
          expect(minutesIn(locked)).to.equal(15)
          for (const page of await Promise.all(failures)) expect(noticeIn(page)).to.equal(INVALID)
          expect(await failuresOf(ines), 'not checked, not counted').to.equal(5)
          expect((await ines.fetch('/channels')).status, 'who is in stays in').to.equal(200)
        },

      'ends when its time is over, and the count restarts': async () => {
        const kim = await somebody(api.url).signUp()
        await db.query('update users set failed_attempts = 5, lockout_until = $2 where username = $1', [
          kim.name,
          Date.now() / 1000 - 1,
        ])
        const page = await pageOf(logIn(stranger('tab'), kim.name, 'no'))
        expect(noticeIn(page)).to.equal(INVALID)
        expect([await failuresOf(kim), await lockedUntil(kim)]).to.deep.equal([1, null])
        expect((await logIn(stranger('tab'), kim.name)).status).to.equal(302)
        expect(await failuresOf(kim)).to.equal(0)
      },

      'clears the count of failures after a success': async () => {
        const lee = await somebody(api.url).signUp()
        await Promise.all(times(4, () => logIn(stranger('tab'), lee.name, 'no')))
        expect(await failuresOf(lee)).to.equal(4)
        expect((await logIn(stranger('tab'), lee.name)).status).to.equal(302)
        expect(await failuresOf(lee)).to.equal(0)
      },

      'never locks a name without an account': async () => {
        const pages = await Promise.all(times(8, () => pageOf(logIn(stranger('tab'), 'nobody-at-all', 'no'))))
        for (const page of pages) expect(noticeIn(page)).to.equal(INVALID)
      },
    })

    it('applies to a log-in that passed just before it: concurrent guesses get no more tries', async () => {
      const jo = await somebody(api.url).signUp()
      // Locked in an open transaction: the right password finds the account unlocked, then meets the lock.
      const guesser = await db.connect()
      await guesser.query('begin')
      await guesser.query('update users set lockout_until = $2 where username = $1', [
        jo.name,
        Date.now() / 1000 + 600,
      ])
      const answer = pageOf(logIn(stranger('tab'), jo.name))
      await new Promise(resolve => setTimeout(resolve, 300))
      await guesser.query('commit')
      guesser.release()
      expect(noticeIn(await answer)).to.match(LOCKED)
      expect(await lockedUntil(jo)).to.be.above(Date.now() / 1000)
    })

    it('follows the settings at the next log-in; zero or less disables it, also for locked accounts', async () => {
      const [max, nia] = [await somebody(api.url).signUp(), await somebody(api.url).signUp()]
      backing.settings({ rate_limit_enabled: false, max_login_attempts: 2, lockout_duration_minutes: 0.5 })
      await settingsRead()
      const failures = times(2, () => logIn(stranger('tab'), max.name, 'no'))
      await counted(max, 2)
      const locked = pageOf(logIn(stranger('tab'), max.name))
      failures.push(...times(1, () => logIn(stranger('tab'), nia.name, 'no')))
      await counted(nia, 1)

      backing.settings({ rate_limit_enabled: false, max_login_attempts: 0 })
      await settingsRead()
      expect((await logIn(stranger('tab'), max.name)).status).to.equal(302)
      failures.push(...times(7, () => logIn(stranger('tab'), nia.name, 'no')))
      await counted(nia, 8)
      expect((await logIn(stranger('tab'), nia.name)).status).to.equal(302)
      expect(noticeIn(await locked)).to.equal('Too many failed attempts. Try again in 1 minute.')
      await Promise.all(failures)

      backing.settings({ rate_limit_enabled: false })
      await settingsRead()
    })

    it('is reported in minutes, rounded up', () => {
      const minutes = [0.001, 60, 60.1, 119, 900].map(seconds => lockedFor(seconds))
      expect(minutes).to.deep.equal([1, 1, 2, 2, 15].map(minutes => ({ kind: 'locked', minutes })))
    })
  })

  describe('a session', () => {
    it('gets a new id at log-in, so that a planted id is worthless', async () => {
      const olga = await somebody(api.url).signUp()
      const tab = await somebody(api.url).signUp()
      const prepared = tab.cookie
      expect(prepared).to.match(/^session=/)
      await tab.fetch('/logout')
      await logIn(tab, olga.name)
      expect(tab.cookie).to.not.equal(prepared)
      tab.cookie = prepared
      expect((await tab.fetch('/channels')).status).to.equal(302)
    })

    it('is listed with its user and stores the fields of the session list', async () => {
      const pia = somebody(api.url)
      await pia.fetch('/signup', {
        method: 'POST',
        headers: { 'User-Agent': 'x'.repeat(300) },
        body: fields({ username: pia.name, password: PASSWORD, confirm_password: PASSWORD }),
      })
      const keys = keysWith(backing.env.REDIS_PREFIX)
      const [id, ends] = await redis.zrange(keys.sessionsOf(pia.name), '0', '-1', 'WITHSCORES')
      expect(Number(ends)).to.be.closeTo(Date.now() / 1000 + 90 * 86_400, 60)
      const record = JSON.parse((await redis.get(keys.session(id!)))!)
      expect(record).to.include({ username: pia.name, user_agent: 'x'.repeat(200) })
      expect(record.csrf_token).to.match(/^[\w-]{43}$/)
      expect(await redis.ttl(keys.session(id!))).to.be.closeTo(14 * 86_400, 60)
    })

    it('redirects its owner from /login and /signup to the chat', async () => {
      const quin = await somebody(api.url).signUp()
      for (const path of ['/login', '/signup']) {
        for (const method of ['GET', 'POST']) {
          const response = await quin.fetch(path, { method })
          expect([response.status, response.headers.get('Location')], `${method} ${path}`).to.deep.equal([
            302,
            '/',
          ])
        }
      }
    })

    it('is required everywhere else', async () => {
      for (const path of ['/', '/csrf_token', '/channels', '/dms', '/logout', '/nowhere']) {
        const response = await stranger('tab').fetch(path)
        expect([response.status, response.headers.get('Location')], path).to.deep.equal([302, '/login'])
      }
    })

    it('is absent with a forged or malformed cookie', async () => {
      const rosa = await somebody(api.url).signUp()
      for (const cookie of [
        `${rosa.cookie}x`,
        'session=',
        'session=s%3Ax.y',
        'session=%E0%A4%A',
        'session=%00',
      ]) {
        const tab = stranger('tab')
        tab.cookie = cookie
        expect((await tab.fetch('/channels')).status, cookie).to.equal(302)
      }
    })
  })

  describe('logging out', () => {
    it('ends the session on the server, clears the cookie and goes offline', async () => {
      const sam = await somebody(api.url).signUp()
      const copied = sam.cookie
      await sam.postJson('/presence', { state: 'active' })
      await sam.postJson('/presence/override', { override: 'idle' })
      const keys = keysWith(backing.env.REDIS_PREFIX)
      const [id] = await redis.zrange(keys.sessionsOf(sam.name), '0', '-1')

      const response = await sam.fetch('/logout')
      expect([response.status, response.headers.get('Location')]).to.deep.equal([302, '/login'])
      expect(response.headers.getSetCookie().join()).to.match(/session=;.*Expires=Thu, 01 Jan 1970/)
      sam.cookie = copied
      expect((await sam.fetch('/channels')).status, 'a copied cookie is dead').to.equal(302)
      const { rows } = await db.query('select state, override from presence where username = $1', [sam.name])
      expect(rows).to.deep.equal([{ state: 'offline', override: null }])
      expect(await redis.zcard(keys.sessionsOf(sam.name))).to.equal(0)
      await eventually(async () => {
        const last = (await readNotices(redis, keys, '0-0', 1)).at(-1)?.notice
        expect(last).to.deep.equal({ concerns: [{ collections: ['online_users'] }], endedSessions: [id] })
      })
    })

    it('leaves the other sessions of the same person alone', async () => {
      const tess = await somebody(api.url).signUp()
      const phone = stranger('phone')
      await logIn(phone, tess.name)
      await tess.fetch('/logout')
      expect((await phone.fetch('/channels')).status).to.equal(200)
    })

    it('works from a link or the address bar, but not from an image on another site', async () => {
      const uma = await somebody(api.url).signUp()
      const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
      expect(await statusOf(uma, '/logout', image)).to.equal(302)
      expect((await uma.fetch('/channels')).status).to.equal(200)
      const link = {
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
      }
      expect(await statusOf(uma, '/logout', link)).to.equal(302)
      expect((await uma.fetch('/channels')).status).to.equal(302)
    })
  })

  describe('requests from other sites', () => {
    const refused: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': '' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://HOST' },
      { Origin: 'null' },
      { Origin: '' },
      { Origin: 'http://evil.example' },
      { Origin: 'http://HOST.evil.example' },
      { Origin: 'http://HOST/path' },
      { Origin: 'http://HOST, http://evil.example' },
      { Origin: 'http://evil.example@HOST' },
      { Origin: 'ftp://HOST' },
      { Origin: 'http://127.0.0.1:1' },
    ]
    const allowed: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
      { Origin: 'http://HOST' },
      { Origin: 'https://HOST' },
      { Origin: 'https://chat.osier.lan' },
    ]
    let named: RunningService
    let vera: Person
    before(async () => {
      named = await startService('api', { ...backing.env, PUBLIC_URL: 'https://chat.osier.lan' })
      vera = await somebody(api.url).signUp()
      vera.at = named.url
    })
    after(() => named?.stop())

    const withHost = (headers: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value.replace('HOST', new URL(named.url).host),
        ]),
      )

    it('get a Secure session cookie where the public address is https, whatever scheme a proxy reports', async () => {
      for (const headers of [{}, { 'X-Forwarded-Proto': 'http' }, { 'X-Forwarded-Proto': 'https' }]) {
        const person = somebody(named.url)
        const body = fields({ username: person.name, password: PASSWORD, confirm_password: PASSWORD })
        const response = await person.fetch('/signup', { method: 'POST', body, headers })
        expect(response.status).to.equal(302)
        const [cookie] = response.headers.getSetCookie().filter(line => line.startsWith('session='))
        expect(cookie, JSON.stringify(headers)).to.match(/; Secure/)
      }
    })

    it('are refused for every change, and change nothing', async () => {
      for (const headers of refused) {
        for (const path of ['/login', '/signup', '/send/general', '/nowhere']) {
          const body = fields({
            text: 'forged',
            username: 'forged',
            password: PASSWORD,
            confirm_password: PASSWORD,
          })
          const response = await vera.fetch(path, { method: 'POST', body, headers: withHost(headers) })
          expect(
            [response.status, await response.text()],
            `${path} ${JSON.stringify(headers)}`,
          ).to.deep.equal([403, 'forbidden'])
        }
      }
      const { rows } = await db.query(`select 1 from messages where content = 'forged'
                                 union all select 1 from users where username = 'forged'`)
      expect(rows).to.be.empty
    })

    it('are allowed from this site', async () => {
      for (const headers of allowed) {
        const body = fields({ text: 'mine' })
        const response = await vera.fetch('/send/general', {
          method: 'POST',
          body,
          headers: withHost(headers),
        })
        expect(response.status, JSON.stringify(headers)).to.equal(200)
      }
    })

    it('are dropped silently for typing and presence reports', async () => {
      await vera.postJson('/presence', { state: 'active' })
      for (const [path, body] of [
        ['/presence', { state: 'idle' }],
        ['/presence/override', { override: 'offline' }],
        ['/typing/general', {}],
      ] as const) {
        const response = await vera.fetch(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' },
          body: JSON.stringify(body),
        })
        expect(response.status, path).to.equal(204)
      }
      expect(await vera.get<Record<string, string>>('/online_users')).to.have.property(vera.name, 'active')
      const wim = await somebody(api.url).signUp()
      expect(await wim.get('/typing/general')).to.deep.equal([])
    })
  })

  describe('the form token', () => {
    it('is the same in the page, in /csrf_token and for the whole session, and new at log-in', async () => {
      const xena = await somebody(api.url).signUp()
      const { csrf_token } = await xena.get<{ csrf_token: string }>('/csrf_token')
      expect(await (await xena.fetch('/')).text()).to.include(
        `<meta name="csrf-token" content="${csrf_token}">`,
      )
      expect(await xena.get('/csrf_token')).to.deep.equal({ csrf_token })
      const tab = stranger('tab')
      const before = tokenIn(await (await tab.fetch('/login')).text())
      expect(before)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(csrf_token)
      await logIn(tab, xena.name, PASSWORD, { csrf_token: before })
      expect(await tab.get('/csrf_token')).to.not.deep.equal({ csrf_token: before })
    })

    it('is verified when it is sent and the session has one', async () => {
      const yves = await somebody(api.url).signUp()
      for (const path of ['/login', '/signup']) {
        const tab = stranger('tab')
        const token = tokenIn(await (await tab.fetch(path)).text())
        for (const wrong of ['', 'x', `${token}x`, token.toLowerCase()]) {
          const response = await tab.postForm(path, {
            csrf_token: wrong,
            username: yves.name,
            password: PASSWORD,
          })
          expect(response.status, `${path} ${wrong}`).to.equal(403)
          expect(tokenIn(await response.text()), 'the next try has the right one').to.equal(token)
        }
      }
    })

    it('of a form without a session is a signed cookie and stores nothing in Redis', async () => {
      const before = (await redis.keys(`${backing.env.REDIS_PREFIX}*`)).length
      for (let round = 0; round < 20; round++) {
        await Promise.all(
          Array.from({ length: 100 }, async (_, i) => {
            await (await fetch(`${api.url}/${i % 2 ? 'login' : 'signup'}`)).text()
          }),
        )
      }
      expect(await redis.keys(`${backing.env.REDIS_PREFIX}*`)).to.have.length(before)
      const response = await fetch(`${api.url}/login`)
      const token = tokenIn(await response.text())
      expect(response.headers.get('Set-Cookie')).to.match(
        /^form=[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      const forged = `form=${token}.${'x'.repeat(43)}`
      for (const [cookie, status] of [
        [response.headers.get('Set-Cookie')!.split(';')[0]!, 200],
        [`${forged}; ${response.headers.get('Set-Cookie')!.split(';')[0]}`, 200],
      ] as const) {
        const sent = await fetch(`${api.url}/signup`, {
          method: 'POST',
          headers: { cookie },
          body: new URLSearchParams({ csrf_token: token, username: 'a b' }),
        })
        expect(sent.status, cookie).to.equal(status)
        expect(tokenIn(await sent.text()), cookie).to.equal(token)
      }
      const page = await (await fetch(`${api.url}/login`, { headers: { cookie: forged } })).text()
      expect(tokenIn(page), 'a cookie that others made is replaced').to.not.equal(token)
    })

    it('is optional without a session: a client without pages logs in with two fields', async () => {
      const zoe = await somebody(api.url).signUp()
      expect((await logIn(stranger('tab'), zoe.name)).status).to.equal(302)
      expect(
        (await logIn(stranger('tab'), zoe.name, PASSWORD, { csrf_token: 'of an old page' })).status,
      ).to.equal(302)
    })

    it('of a shown form is kept when the stream of another tab is redirected to the same page', async () => {
      const browser = stranger('browser')
      const shown = tokenIn(await (await browser.fetch('/login')).text())
      const stream = await browser.fetch('/login', { headers: { Accept: 'text/event-stream' } })
      expect(stream.headers.get('Set-Cookie')).to.equal(null)
      const other = await stranger('nobody').fetch('/login', { headers: { Accept: 'text/event-stream' } })
      expect([other.status, other.headers.get('Set-Cookie')]).to.deep.equal([204, null])
      expect(tokenIn(await (await browser.fetch('/login')).text())).to.equal(shown)
    })
  })

  describe('limits', () => {
    it('restrict log-ins and sign-ups per address', async () => {
      backing.settings({ rate_limits: { login: [3, 60], account: [3, 60] } })
      await settingsRead()
      try {
        const amy = await somebody(api.url).signUp()
        const second = await signUp(somebody(api.url))
        expect(second.status).to.equal(429)
        expect(Number(second.headers.get('Retry-After'))).to.be.within(1, 60)
        for (let i = 0; i < 3; i++) expect((await logIn(stranger('tab'), amy.name)).status).to.equal(302)
        expect((await logIn(stranger('tab'), amy.name)).status).to.equal(429)
      } finally {
        backing.settings({ rate_limit_enabled: false })
        await settingsRead()
      }
    })
  })

  describe('pages without a session', () => {
    it('work without a script: plain forms, no inline code, no inline style', async () => {
      for (const path of ['/login', '/signup', '/about', '/forgot-password']) {
        const response = await fetch(api.url + path)
        const page = await response.text()
        expect(response.status, path).to.equal(200)
        expect(response.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
        expect(response.headers.get('Cache-Control')).to.equal('no-store')
        expect(response.headers.get('Content-Security-Policy')).to.include("default-src 'none'")
        expect(page).to.not.match(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/)
        expect(page).to.include('<h1>')
      }
      expect(await (await fetch(`${api.url}/login`)).text()).to.include(
        '<form class="form" method="post" action="/login">',
      )
    })

    it('load a script of at most 3 KB, and files that a browser may cache indefinitely', async () => {
      const page = await (await fetch(`${api.url}/login`)).text()
      const paths = [...page.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g)].map(match => match[1]!)
      expect(paths).to.have.length(4)
      for (const path of paths) {
        const response = await fetch(api.url + path)
        const { byteLength } = await response.arrayBuffer()
        expect(response.status, path).to.equal(200)
        expect(response.headers.get('Cache-Control')).to.equal('public, max-age=31536000, immutable')
        if (path.endsWith('.js')) expect(byteLength).to.be.at.most(3_072)
        const ofOtherVersion = await fetch(api.url + path.replace(/\.[^.]+\./, '.anotherone.'))
        expect([ofOtherVersion.status, ofOtherVersion.headers.get('Cache-Control')]).to.deep.equal([
          200,
          'no-cache',
        ])
      }
    })

    it('let a browser on plain http send the Origin of a form', async () => {
      // Under `no-referrer` it would send `Origin: null`, and every log-in would be refused.
      expect((await fetch(`${api.url}/login`)).headers.get('Referrer-Policy')).to.equal('same-origin')
    })

    it('name the server on /about', async () => {
      const page = await (await fetch(`${api.url}/about`)).text()
      expect(page)
        .to.include(new URL(api.url).host)
        .and.match(/version \d+\.\d+\.\d+/)
    })

    it('are in German for browsers that prefer it, otherwise in English', async () => {
      const shown = async (path: string, languages: string | undefined) => {
        const headers: Record<string, string> =
          languages === undefined ? {} : { 'Accept-Language': languages }
        return (await fetch(api.url + path, { headers })).text()
      }
      for (const path of ['/login', '/signup', '/about', '/forgot-password', '/reset-password/unknown']) {
        const english = await shown(path, undefined)
        expect(english, path).to.include('<html lang="en"')
        expect(await shown(path, 'fr, en;q=0.8, de;q=0.5'), path).to.include('<html lang="en"')
        const german = await shown(path, 'de-AT, de;q=0.9, en;q=0.5')
        expect(german, path).to.include('<html lang="de"')
        expect(headingIn(german), path).to.not.equal(headingIn(english))
      }
      const form = { username: 'x y', password: 'short', confirm_password: 'other' }
      const body = new URLSearchParams(form)
      const answer = await fetch(`${api.url}/signup`, {
        method: 'POST',
        body,
        headers: { 'Accept-Language': 'de' },
      })
      expect(await answer.text()).to.include('Der Benutzername hat 1 bis 32')
    })

    it('check usernames by the same rule as the server', () => {
      const letter = fc.oneof(
        fc.string({ minLength: 1, maxLength: 1 }),
        fc.string({ unit: 'binary', maxLength: 2 }),
      )
      const text = fc.array(letter, { maxLength: 12 }).map(letters => letters.join(''))
      const ascii = fc.constantFrom(...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)))
      fc.assert(
        fc.property(fc.oneof(text, ascii), typed => {
          expect(new RegExp(USERNAME_PATTERN, 'su').test(typed)).to.equal(isUsername(typed))
        }),
        { numRuns: 2_000 },
      )
    })
  })
})

/** Runs tests concurrently, because each waits three real seconds. */
function atOnce(tests: Record<string, () => Promise<void>>) {
  const runs = new Map<string, Promise<void>>()
  before(() => {
    for (const [name, run] of Object.entries(tests)) {
      const running = run()
      running.catch(() => {})
      runs.set(name, running)
    }
  })
  for (const name of Object.keys(tests)) it(name, () => runs.get(name))
}

const fields = (values: Record<string, string>) => new URLSearchParams(values)
const stranger = (name: string) => new Person(name, api.url)

function signUp(person: Person, given: Record<string, string> = {}) {
  return person.postForm('/signup', {
    username: person.name,
    password: PASSWORD,
    confirm_password: PASSWORD,
    ...given,
  })
}

function logIn(tab: Person, username: string, password = PASSWORD, more: Record<string, string> = {}) {
  return tab.postForm('/login', { username, password, ...more })
}

const postRaw = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
  fetch(api.url + path, { method: 'POST', body, headers: { 'Content-Type': type }, redirect: 'manual' })

/** Without fetch(), which adds its own Sec-Fetch-Mode. */
async function statusOf({ at, cookie }: Person, path: string, headers: Record<string, string>) {
  const [response] = await once(get(at + path, { headers: { ...headers, Cookie: cookie } }), 'response')
  response.resume()
  return response.statusCode
}

async function pageOf(answer: Promise<Response>) {
  const response = await answer
  expect(response.status).to.equal(200)
  return response.text()
}

const noticeIn = (page: string) => /<p class="form-notice"[^>]*>.*<\/svg>([^<]*)<\/p>/.exec(page)?.[1]
const problemsIn = (page: string) =>
  [...page.matchAll(/<div class="form-problems"[^>]*>(.*?)<\/div>/g)].flatMap(([, list]) =>
    [...list!.matchAll(/<span>([^<]*)<\/span>/g)].map(match => match[1]),
  )
const headingIn = (page: string) => /<h1>([^<]*)<\/h1>/.exec(page)?.[1]
const tokenIn = (page: string) => /name="csrf_token" value="([^"]*)"/.exec(page)?.[1] ?? ''
const minutesIn = (page: string) => Number(LOCKED.exec(page)?.[1])

const failuresOf = async ({ name }: Person) => (await userRow(name)).failed_attempts
/** A failure is counted long before its response is sent. */
async function counted(person: Person, failures: number) {
  while ((await failuresOf(person)) < failures) await new Promise(resolve => setTimeout(resolve, 20))
}
const lockedUntil = async ({ name }: Person) => (await userRow(name)).lockout_until

async function userRow(name: string) {
  const { rows } = await db.query('select failed_attempts, lockout_until from users where username = $1', [
    name,
  ])
  return rows[0]
}

const times = <T>(count: number, make: () => Promise<T>) => Array.from({ length: count }, make)
