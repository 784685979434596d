import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEFAULTS, type SettingName, takenBy } from '#shared/runtime/settings.ts'
import { ROOT, VARIABLES } from '#shared/runtime/variables.ts'
import { REDIS_USERS, redisRights } from '#shared/stores/redis-users.ts'

/** Compares the settings and variables of the operator's page with the code that reads them. */
describe('the operator’s page', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const page = read('infra/README.md')
  const commands = /^## Administration from the command line$.*?(?=^## )/ms
  const rows = page
    .replace(commands, '')
    .split('\n')
    .filter(line => line.startsWith('| `'))
  const rowOf = (name: string) => rows.find(row => row.split('|')[1]!.includes(`\`${name}\``))

  it('lists every setting with its default and its values', () => {
    for (const [name, value] of Object.entries(DEFAULTS)) {
      const row = rowOf(name)
      expect(row, name).to.be.a('string')
      expect(row!.split('|')[3]!.trim(), name).to.equal(takenBy(name as SettingName))
      if (name !== 'rate_limits') expect(row!.split('|')[2], name).to.include(`\`${JSON.stringify(value)}\``)
    }
  })

  it('lists every rate limit with its default', () => {
    for (const [name, rate] of Object.entries(DEFAULTS.rate_limits)) {
      expect(rowOf(name)?.split('|')[2], name).to.include(`\`${JSON.stringify(rate)}\``)
    }
  })

  it('comes with an example of the settings that has the defaults', () => {
    expect(JSON.parse(read('infra/settings/settings.example.json'))).to.deep.equal(DEFAULTS)
  })

  it('lists every variable that the processes read, as does env.example', () => {
    expect(variablesRead()).to.include.members(['DATABASE_URL', 'PUBLIC_URL', 'PASSWORD_ITERATIONS'])
    const example = read('infra/env.example')
    for (const name of variablesRead()) {
      expect(rowOf(name), `${name} in the table`).to.be.a('string')
      expect(example, `${name} in env.example`).to.match(new RegExp(`^#?${name}=`, 'm'))
    }
  })

  for (const user of REDIS_USERS) {
    it(`gives the Redis user ${user} the same rights as the code`, () => {
      const [, rules] = new RegExp(
        `^ACL SETUSER ${user} reset on >PASSWORD\\s+([^\`]+?)\n(?:ACL|\`\`\`)`,
        'm',
      ).exec(page)!
      expect(rules!.trim().split(/\s+/)).to.deep.equal(redisRights(user, 'bothy:'))
    })
  }

  it('lists no variable or setting that nothing reads', () => {
    const known = new Set([
      ...variablesRead(),
      ...Object.keys(DEFAULTS),
      ...Object.keys(DEFAULTS.rate_limits),
    ])
    // Read by Compose and Caddy, by npm start, and by the tests.
    for (const name of [
      'SITE_ADDRESS',
      'SITE_IP',
      'CERTIFICATE',
      'TRUSTED_PROXIES',
      'BOTHY_IMAGE',
      'API_REPLICAS',
      'EVENTS_REPLICAS',
      'BOTHY_DATA',
      'CHROMIUM',
      'PREVIEWS_REDIS_URL',
      'THUMBNAILS_REDIS_URL',
      'BACKUP_PASSPHRASE_FILE',
      'DATABASE_ADMIN_URL_FILE',
      'SESSION_SECRET_PREVIOUS_FILE',
    ])
      known.add(name)
    const listed = rows.flatMap(row =>
      [...row.split('|')[1]!.matchAll(/`([A-Z_]{3,}|[a-z_]{4,})`/g)].map(([, name]) => name!),
    )
    for (const name of listed) expect([...known]).to.include(name)
  })
})

/** The variables of the schema, and those that other files read directly. */
function variablesRead() {
  // Set by a parent process, not by operators.
  const internal = new Set(['SERVICE'])
  const names = new Set(Object.keys(VARIABLES))
  for (const file of globSync('{shared/{runtime,stores,http,notices,jobs},services}/**/*.ts', {
    cwd: ROOT,
  })) {
    if (file.endsWith('.test.ts')) continue
    const code = readFileSync(join(ROOT, file), 'utf8')
    for (const [, name] of code.matchAll(/env\[['"]([A-Z_]+)['"]\]/g)) names.add(name!)
  }
  return [...names].filter(name => !internal.has(name))
}
