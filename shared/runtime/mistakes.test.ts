import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  ConfigurationError,
  readCardsConfig,
  readConfig,
  readGatewayConfig,
  readJanitorConfig,
  readPicturesConfig,
  readStunConfig,
} from './config.ts'
import { FREE, READ_BY, WRONG } from './mistakes.fixture.ts'
import { DEFAULTS, SETTING_NAMES, settingsFrom, takenBy } from './settings.ts'
import { inWords, ROOT, SECRETS, VARIABLES, type VariableName } from './variables.ts'

/** Breaks every variable and key of the operator's page in three ways, for every process that reads it. */
describe('a mistake of the operator', () => {
  const page = readFileSync(join(ROOT, 'infra/README.md'), 'utf8')
  const example = readFileSync(join(ROOT, 'infra/env.example'), 'utf8')
  const READERS = {
    api: readConfig,
    events: readGatewayConfig,
    janitor: readJanitorConfig,
    previews: readCardsConfig,
    'previews-pictures': readPicturesConfig,
    stun: readStunConfig,
  }
  const NEEDED = {
    DATABASE_URL: 'postgres://bothy:heather@127.0.0.1/bothy',
    REDIS_URL: 'redis://:heather@127.0.0.1',
    SESSION_SECRET: 'heather'.repeat(6),
  }
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bothy-mistakes-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const faultsOf = (reader: (env: NodeJS.ProcessEnv) => unknown, env: NodeJS.ProcessEnv) => {
    try {
      reader(env)
      return []
    } catch (err) {
      expect(err).to.be.instanceOf(ConfigurationError)
      return (err as ConfigurationError).details
    }
  }

  /** The line has name, value or file, what is allowed, and a next step; no secret. */
  function expectTold({ found, next }: { found: string; next: string }, name: string, value?: string) {
    const line = inWords({ found, next })
    expect(line, name).to.match(new RegExp(`^${name.replaceAll('.', '\\.')}\\b`))
    expect(line, name).to.match(/ Allowed: .{3,}\. .{3,}[.?]$/)
    expect(line, name).to.not.match(/[\n\r]|heather/)
    expect(next, name).to.match(/^[A-Z].*[.?]$/)
    if (value !== undefined) expect(found, name).to.include(value)
  }

  it('is listed for each variable of the page that a process reads', () => {
    const names = Object.keys(VARIABLES) as VariableName[]
    expect(Object.keys(WRONG).sort()).to.deep.equal(names.filter(name => !FREE.includes(name)).sort())
    for (const name of names) {
      expect(page, name).to.include(`\`${name}\``)
      expect(example, name).to.match(new RegExp(`^#?${name}=`, 'm'))
    }
  })

  for (const [name, wrong] of Object.entries(WRONG) as [VariableName, string[]][]) {
    it(`in ${name} is one line with value, what is allowed, and the next step`, () => {
      expect(wrong.length, 'ways').to.be.at.least(3)
      for (const service of READ_BY[name] ?? [])
        for (const value of wrong) {
          const faults = faultsOf(READERS[service], { ...NEEDED, [name]: value })
          expect(faults, `${service}: ${name}=${value}`).to.have.length(1)
          expectTold(faults[0]!, name)
          if (!/^(SESSION|SECRETS)_/.test(name) && !/heather/.test(value))
            expect(faults[0]!.found).to.include(value.slice(0, 20).split(':')[0])
        }
    })
  }

  it('in several variables is told of all at once', () => {
    for (const [service, reader] of Object.entries(READERS)) {
      const read = (Object.keys(WRONG) as VariableName[]).filter(name =>
        (READ_BY[name] as string[] | undefined)?.includes(service),
      )
      const env = Object.fromEntries(read.map(name => [name, WRONG[name]![0]]))
      const told = faultsOf(reader, { ...NEEDED, ...env }).map(({ found }) => found.split('=', 1)[0])
      expect(told.sort(), service).to.deep.equal(read.sort())
    }
  })

  for (const name of SECRETS)
    it(`in the file of ${name}_FILE is told in the same way`, () => {
      const readers = (READ_BY[name] ?? []).map(service => READERS[service])
      const bucket = name.startsWith('AWS_') ? { FILES_URL: 's3://office/files' } : {}
      const env = { ...NEEDED, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', ...bucket, [name]: '' }
      const missing = join(folder, 'no-such-file')
      const empty = join(folder, 'empty')
      writeFileSync(empty, '\n')
      for (const reader of readers)
        for (const path of [missing, empty, folder]) {
          const faults = faultsOf(reader, { ...env, [`${name}_FILE`]: path })
          expect(faults, path).to.have.length(1)
          expectTold(faults[0]!, `${name}_FILE`, path)
        }
      if (!VARIABLES[name].form.read('hushhush')) {
        const wrong = join(folder, 'wrong')
        writeFileSync(wrong, 'hushhush')
        for (const reader of readers) {
          const [fault] = faultsOf(reader, { ...env, [`${name}_FILE`]: wrong })
          expectTold(fault!, name, wrong)
          expect(fault!.found).to.not.include('hushhush')
        }
      }
    })

  it('in the file of the session key is told as well, and one that is missing is made', () => {
    const { SESSION_SECRET: _, ...env } = NEEDED
    const short = join(folder, 'short')
    writeFileSync(short, 'heather')
    const below = join(short, 'secret')
    for (const path of [short, below, folder]) {
      const faults = faultsOf(readConfig, { ...env, SESSION_SECRET_FILE: path })
      expect(faults, path).to.have.length(1)
      expectTold(faults[0]!, 'SESSION_SECRET_FILE', path)
    }
    expect(faultsOf(readConfig, { ...env, SESSION_SECRET_FILE: join(folder, 'made') })).to.deep.equal([])
    // Root reads everything.
    if (process.getuid?.() === 0) return
    chmodSync(short, 0)
    expectTold(faultsOf(readConfig, { ...env, SESSION_SECRET_FILE: short })[0]!, 'SESSION_SECRET_FILE', short)
  })

  it('is missing keys of a bucket, told with the rest', () => {
    const env = { ...NEEDED, FILES_URL: 's3://office/files', PORT: 'x' }
    for (const reader of [readConfig, readJanitorConfig, readPicturesConfig])
      expect(faultsOf(reader, env).map(({ found }) => found.split(/[= ]/, 1)[0])).to.deep.equal([
        'PORT',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
      ])
  })

  it('in an address that has a password never shows it', () => {
    for (const url of [
      'mysql://bothy:heather@db/bothy',
      'postgres://bothy:hea@ther/heather@db:x/bothy',
      'postgres://bothy:heather',
      'heather',
    ]) {
      const [fault] = faultsOf(readConfig, { ...NEEDED, DATABASE_URL: url })
      if (fault) expectTold(fault, 'DATABASE_URL')
    }
    const sentinels = 'redis+sentinel://:heather@a?sentinel_password=hea@ther'
    expectTold(faultsOf(readConfig, { ...NEEDED, REDIS_URL: sentinels })[0]!, 'REDIS_URL')
    expectTold(faultsOf(readConfig, { ...NEEDED, FILES_URL: 's3://key:heather@office' })[0]!, 'FILES_URL')
  })

  describe('in settings.json', () => {
    const VALUES = [null, 'x'.repeat(5_000), 'sometimes', -1e15, 0.5, 1e300, {}, { a: 1 }, [[]], [7], true]

    for (const key of SETTING_NAMES)
      it(`${key} is one line with value, what is allowed, and the next step, and has its default`, () => {
        const wrong = VALUES.filter(value => settingsFrom({ [key]: value }).faults.length > 0)
        expect(wrong.length, 'ways').to.be.at.least(3)
        for (const value of wrong) {
          const { settings, faults } = settingsFrom({ [key]: value }, '/srv/bothy/settings.json')
          expect(faults, JSON.stringify(value)).to.have.length(1)
          // In a list or group, the part that is wrong.
          const isPart = new RegExp(`^${key}(\\.|="?(\\[\\]|7))`).test(faults[0]!.found)
          expectTold(faults[0]!, key, isPart ? undefined : JSON.stringify(value).slice(0, 20))
          expect(faults[0]!.found).to.include('/srv/bothy/settings.json')
          expect(settings[key]).to.deep.equal(DEFAULTS[key])
        }
      })

    it('each limit of rate_limits is told in the same way', () => {
      for (const name of Object.keys(DEFAULTS.rate_limits))
        for (const value of [7, [1], [0, 60], [1, -1], 'often']) {
          const { faults } = settingsFrom({ rate_limits: { [name]: value } })
          expect(faults).to.have.length(1)
          expectTold(faults[0]!, `rate_limits.${name}`, JSON.stringify(value))
        }
    })

    it('names what is allowed from the schema', () => {
      for (const key of ['signup_mode', 'read_receipts', 'backup_hour', 'accent', 'backup_keep'] as const)
        expect(settingsFrom({ [key]: [[]] }).faults[0]!.found).to.include(` Allowed: ${takenBy(key)}.`)
    })

    it('in all keys is told of all at once, and of a thousand unknown ones briefly', () => {
      const all = Object.fromEntries(SETTING_NAMES.map(key => [key, [[]]]))
      const told = settingsFrom(all).faults.map(({ found }) => found.split('=', 1)[0])
      expect(new Set(told)).to.deep.equal(new Set(SETTING_NAMES))
      const unknown = Object.fromEntries(
        Array.from({ length: 1_000 }, (_, i) => [`key\n${i}`, 'x'.repeat(9_000)]),
      )
      const { faults } = settingsFrom(unknown)
      expect(faults).to.have.length(51)
      expect(faults.at(-1)!.found).to.include('950 further')
      expect(faults.map(inWords).join('').length).to.be.lessThan(20_000)
    })

    it('such as an unknown key or locked setting names the one that is meant', () => {
      for (const given of [{ retention_day: 3 }, { locked_settings: ['retention_day'] }])
        expect(settingsFrom(given).faults[0]!.next).to.equal('Is retention_days meant?')
      expect(settingsFrom({ rate_limits: { request: [1, 1] } }).faults[0]!.next).to.equal(
        'Is requests meant?',
      )
    })
  })
})
