import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEFAULTS } from '#shared/runtime/settings.ts'
import { ROOT, VARIABLES, type VariableName } from '#shared/runtime/variables.ts'
import { REDIS_USERS, redisRights } from '#shared/stores/redis-users.ts'
import { groupsOf, operatorsPage, PAGE } from '../tools/operators-page.ts'

/** Compares the tables, the example files and the guide of operators with the code. */
describe('the operator’s page', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const example = groupsOf(read('infra/env.example')).flatMap(({ variables }) => variables)
  const values = new Map(example.flatMap(({ assigned }) => assigned.map(one => [one.name, one.value])))

  it('has the tables that node infra/tools/operators-page.ts writes', () => {
    const page = readFileSync(PAGE, 'utf8')
    expect(page).to.equal(operatorsPage(page))
  })

  it('comes with an example of the settings that has the defaults', () => {
    expect(JSON.parse(read('infra/settings/settings.example.json'))).to.deep.equal(DEFAULTS)
  })

  it('lists every variable that the processes read, with a comment', () => {
    expect(variablesRead()).to.include.members(['DATABASE_URL', 'PUBLIC_URL', 'PASSWORD_ITERATIONS'])
    expect([...values.keys()]).to.include.members(variablesRead())
    for (const { assigned, comment } of example) expect(comment, assigned[0]?.name).to.match(/^\S.*\.$/)
  })

  it('has the defaults of the variables', () => {
    // Others with npm start and in the image than for a process by itself.
    const byWay = ['PORT', 'UV_THREADPOOL_SIZE', 'FILES_URL']
    for (const [name, { byDefault }] of Object.entries(VARIABLES)) {
      if (byDefault !== undefined && !byWay.includes(name)) expect(values.get(name), name).to.equal(byDefault)
      const value = values.get(name)
      if (value) expect(VARIABLES[name as VariableName].form.read(value), name).to.not.equal(undefined)
    }
  })

  for (const user of REDIS_USERS) {
    it(`gives the Redis user ${user} the same rights as the code`, () => {
      const [, rules] = new RegExp(
        `^ACL SETUSER ${user} reset on >PASSWORD\\s+([^\`]+?)\n(?:ACL|\`\`\`)`,
        'm',
      ).exec(read('docs/operations.md'))!
      expect(rules!.trim().split(/\s+/)).to.deep.equal(redisRights(user, 'bothy:'))
    })
  }

  it('lists no variable that nothing reads', () => {
    // Read by Compose and Caddy, by npm start, and by the tests.
    const elsewhere = [
      'SITE_ADDRESS',
      'SITE_IP',
      'CERTIFICATE',
      'TRUSTED_PROXIES',
      'BOTHY_IMAGE',
      'API_REPLICAS',
      'EVENTS_REPLICAS',
      'CHROMIUM',
      'SESSION_SECRET_PREVIOUS_FILE',
    ]
    for (const name of values.keys()) expect([...variablesRead(), ...elsewhere]).to.include(name)
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
