import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { valuesRefused, valuesTaken } from '#shared/test-kit/setting-values.ts'
import { log } from './log.ts'
import { DEFAULTS, maxUploadBytes, SETTING_NAMES, SettingsFile, settingsFrom, takenBy } from './settings.ts'
import { inWords } from './variables.ts'

describe('settings (interface 2.2, 5)', () => {
  it('fall back one by one, with one warning each', () => {
    const { settings, faults } = settingsFrom({
      channels: ['general', 'a:b', 7, 'design', 'design'],
      max_login_attempts: 'many',
      lockout_duration_minutes: 3,
      rate_limits: { send: [1, 1], login: 'x', teapot: [1, 1] },
    })
    expect(settings.channels).to.deep.equal(['general', 'design'])
    expect(settings.max_login_attempts).to.equal(5)
    expect(settings.lockout_duration_minutes).to.equal(3)
    expect(settings.rate_limits.send).to.deep.equal([1, 1])
    expect(settings.rate_limits.login).to.deep.equal(DEFAULTS.rate_limits.login)
    expect(faults.map(({ found }) => found.split(' ', 1)[0])).to.deep.equal([
      'channels="a:b"',
      'channels=7',
      'max_login_attempts="many"',
      'rate_limits.login="x"',
      'rate_limits.teapot=[1,1]',
    ])
  })

  it('take the values within their bounds, and no others: the warning says which', () => {
    for (const key of SETTING_NAMES) {
      for (const value of valuesTaken(key))
        expect(settingsFrom({ [key]: value }).faults, `${key}: ${JSON.stringify(value)}`).to.deep.equal([])
      for (const value of valuesRefused(key)) {
        const about = `${key}: ${JSON.stringify(value)?.slice(0, 60)}`
        const { settings, faults } = settingsFrom({ [key]: value })
        expect(faults, about).to.have.length(1)
        expect(faults[0]!.found, about).to.include(`is not usable. Allowed: ${takenBy(key)}.`)
        expect(settings, about).to.deep.equal(DEFAULTS)
      }
    }
  })

  it('that are limits of rates have bounds, too', () => {
    for (const name of Object.keys(DEFAULTS.rate_limits))
      for (const rate of [
        [0, 60],
        [1, 0],
        [1e9 + 1, 60],
        [1, 2_678_401],
        [1.5, 60],
        [Number.NaN, 1],
        7,
        null,
        [1],
      ]) {
        const { settings, faults } = settingsFrom({ rate_limits: { [name]: rate } })
        expect(faults, `${name}: ${JSON.stringify(rate)}`).to.have.length(1)
        expect(faults[0]!.found).to.include(`rate_limits.${name}`).and.to.include('from 1 to 1000000000')
        expect(settings).to.deep.equal(DEFAULTS)
      }
    const most = settingsFrom({ channels: Array.from({ length: 1_001 }, (_, i) => `c${i}`) })
    expect(most.settings.channels).to.have.length(1_000)
    expect(most.faults.map(({ found }) => found)).to.deep.equal([
      'channels=1001 in settings.json is not usable. Allowed: at most 1000 names.',
    ])
  })

  it('that are former limits of rates are ignored, and told in one line with what replaces them', () => {
    const { settings, faults } = settingsFrom(
      {
        rate_limits: {
          signup: [500, 3600],
          upload: [204_800, 600],
          password: 'x',
          send: [9, 9],
          read: [1, 1],
        },
      },
      '/srv/settings.json',
    )
    expect(settings.rate_limits).to.deep.equal({ ...DEFAULTS.rate_limits, send: [9, 9] })
    expect(faults.map(inWords)).to.deep.equal([
      'rate_limits in /srv/settings.json has former names, which are ignored: signup, password (now account); upload (now files); read (now requests). Allowed: the limits in “Rate limits” of infra/README.md. Remove them; where a default does not fit, set the limit in brackets.',
    ])
  })

  it('that do not exist are named, so that a typing mistake is noticed', () => {
    expect(settingsFrom({ retention_day: 90 }, '/srv/settings.json').faults.map(inWords)).to.deep.equal([
      'retention_day=90 in /srv/settings.json is no setting. Allowed: the keys in “Settings” of infra/README.md. Is retention_days meant?',
    ])
  })

  it('stay as they are while the file is missing, and follow it again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bothy-settings-'))
    const path = join(folder, 'settings.json')
    writeFileSync(path, '{"retention_days": 90, "channels": ["atelier"]}')
    const file = new SettingsFile(path)
    try {
      let reads = 0
      file.onChange(() => reads++)
      rmSync(path)
      await eventually(() => expect(reads).to.equal(1))
      expect(file.current).to.include({ retention_days: 90 })
      expect(file.current.channels).to.deep.equal(['atelier'])
      expect(file.given).to.have.keys('retention_days', 'channels')
      writeFileSync(path, '{}')
      await eventually(() => expect(file.current).to.deep.equal(DEFAULTS))
    } finally {
      file.stop()
      rmSync(folder, { recursive: true })
    }
  })

  it('are the defaults without a file, and no warning tells of it', async () => {
    const { warn } = log
    const told: unknown[] = []
    log.warn = (...facts: unknown[]) => void told.push(facts)
    const file = new SettingsFile(join(tmpdir(), 'bothy-settings-that-are-not', 'settings.json'))
    try {
      let reads = 0
      file.onChange(() => reads++)
      await eventually(() => expect(reads).to.equal(1))
      expect(file.current).to.deep.equal(DEFAULTS)
      expect(told).to.deep.equal([])
    } finally {
      file.stop()
      log.warn = warn
    }
  })

  it('bound an upload where only images are allowed by the largest image, so that no byte is sent in vain', () => {
    const settings = { ...DEFAULTS, max_upload_size_mb: 2_048 }
    expect(maxUploadBytes({ ...settings, file_types: 'all' })).to.equal(2_048 * 1024 * 1024)
    expect(maxUploadBytes({ ...settings, file_types: 'images' })).to.equal(32 * 1024 * 1024)
  })

  it('accept channel names in any script, but none that could be a path or another kind of channel', () => {
    const usable = ['général', '日本語', 'off topic', 'v1.2-beta', 'R_and_D', 'हिन्दी']
    const unusable = [
      '..',
      '.a',
      'a.',
      'a..b',
      'a/b',
      'a:b',
      'a%20b',
      ' a',
      'a ',
      'a  b',
      'a\u202eb',
      'a\nb',
      'a?b',
      'a#b',
      '',
      'x'.repeat(65),
    ]
    expect(settingsFrom({ channels: [...usable, ...unusable] }).settings.channels).to.deep.equal(usable)
    expect(settingsFrom({ channels: ['e\u0301t\u00e9'] }).settings.channels).to.deep.equal(['\u00e9t\u00e9'])
  })

  it('keep unusual choices: no public channel, no lockout', () => {
    const { settings, faults } = settingsFrom({ channels: [], max_login_attempts: 0 })
    expect(settings).to.include({ max_login_attempts: 0 })
    expect(settings.channels).to.deep.equal([])
    expect(faults).to.deep.equal([])
  })

  it('are the defaults for a file that is not an object', () => {
    for (const parsed of [null, [], 7, 'x']) expect(settingsFrom(parsed).settings).to.deep.equal(DEFAULTS)
  })
})
