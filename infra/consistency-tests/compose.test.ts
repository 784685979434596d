import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { LOGGING } from '../dev-stores/postgres.ts'
import { mergedCompose } from './merged-compose.fixture.ts'

/** Reads docker-compose.yml without an engine; infra/system-tests/compose.test.ts starts it. */
describe('the containers of docker-compose.yml', () => {
  const { services } = mergedCompose('docker-compose.yml')
  const office = mergedCompose('infra/compose.office.yml')
  const containers = Object.entries(services)

  it('run one image, which one service builds: several builds of a tag outdate the containers of each other', () => {
    const ours = containers.filter(([, { image }]) => image.includes('BOTHY_IMAGE'))
    expect(ours.map(([name]) => name)).to.have.members(
      'api events previews previews-pictures janitor admin stun setup database'.split(' '),
    )
    expect(containers.filter(([, { build }]) => build !== undefined).map(([name]) => name)).to.deep.equal([
      'api',
    ])
    for (const [name, { pull_policy }] of ours) expect(pull_policy, name).to.equal('never')
    for (const path of globSync('infra/**/compose.*.yml', { cwd: ROOT }))
      for (const [name, { build, image }] of Object.entries(mergedCompose(path).services)) {
        expect(build, `${path}: ${name}`).to.equal(undefined)
        if (image !== undefined) expect(Object.keys(services)).to.not.include(name)
      }
  })

  it('stay as they are when the number of replicas changes', () => {
    for (const path of ['docker-compose.yml', ...globSync('infra/**/compose.*.yml', { cwd: ROOT })]) {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const uses = text.split('\n').filter(line => /_REPLICAS/.test(line) && !/^\s*#/.test(line))
      for (const use of uses) expect(use, path).to.match(/^\s+replicas: \$\{(API|EVENTS)_REPLICAS:-1\}$/)
    }
  })

  it('all have limits of memory and processes, so that none takes the host along', () => {
    for (const [name, { mem_limit, pids_limit }] of containers) {
      expect(mem_limit, name).to.match(/^[12]g$/)
      expect(pids_limit, name).to.be.within(100, 500)
    }
  })

  it('that work in the background get one core each', () => {
    const limited = containers.filter(([, { cpus }]) => cpus !== undefined)
    expect(limited.map(([name]) => name)).to.have.members([
      'previews',
      'previews-pictures',
      'janitor',
      'stun',
    ])
    for (const [name, { cpus }] of limited) expect(cpus, name).to.equal(1)
  })

  it('of the stores use the memory that they have, here and in a large office', () => {
    expect(Object.keys(services)).to.include.members(Object.keys(office.services))
    for (const { postgres, redis } of [services, office.services]) {
      const { shared_buffers, effective_cache_size } = optionsOf(postgres!.command!)
      const limit = megabytes(postgres!.mem_limit!)
      expect(megabytes(shared_buffers!)).to.be.within(limit * 0.2, limit * 0.4)
      expect(megabytes(effective_cache_size!)).to.be.within(limit * 0.4, limit * 0.75)
      const words = redis!.command!
      expect(words.slice(0, 7)).to.deep.equal(services['redis']!.command!.slice(0, 7))
      expect(words[words.indexOf('--maxmemory-policy') + 1]).to.equal('noeviction')
      const most = megabytes(words[words.indexOf('--maxmemory') + 1]!)
      expect(most / megabytes(redis!.mem_limit!)).to.be.within(0.5, 0.65)
    }
    expect(services['postgres']!.environment!['POSTGRES_INITDB_ARGS']).to.include('--data-checksums')
  })

  it('of PostgreSQL log what is slow, as npm start does, and no values of rows', () => {
    for (const { postgres } of [services, office.services])
      expect(postgres!.command!.filter(word => word.startsWith('-clog_'))).to.deep.equal(
        LOGGING.map(setting => `-c${setting}`),
      )
  })

  it('that run for long, also those that observe, bound their logs', () => {
    const observe = mergedCompose('infra/observe/compose.observe.yml')
    const added = Object.entries(observe.services).filter(([name]) => !(name in services))
    expect(added.map(([name]) => name)).to.include('prometheus')
    for (const [name, { logging }] of [...containers, ...added])
      expect(logging, name).to.deep.equal({
        driver: 'local',
        options: { 'max-size': '20m', 'max-file': '5' },
      })
  })
})

/** `-cname=value` of a command of PostgreSQL. */
function optionsOf(command: string[]): Record<string, string> {
  return Object.fromEntries(
    command.filter(word => word.startsWith('-c')).map(word => word.slice(2).split('=', 2)),
  )
}

function megabytes(size: string): number {
  const [, number, unit] = /^(\d+)(g|m)b?$/i.exec(size)!
  return Number(number) * (unit!.toLowerCase() === 'g' ? 1024 : 1)
}

describe('compose.external.yml', () => {
  const base = mergedCompose('docker-compose.yml').services
  const external = mergedCompose('infra/compose.external.yml').services
  const merged = mergedCompose('docker-compose.yml', 'infra/compose.external.yml').services
  const off = Object.keys(external).filter(name => external[name]!.profiles?.includes('own-stores'))
  const on = Object.keys(base).filter(name => !off.includes(name))

  it('starts no stores, and nothing that waits for them or shares their networks', () => {
    expect(off).to.have.members(['setup', 'postgres', 'redis'])
    for (const name of on) {
      const { depends_on, networks } = merged[name]!
      for (const store of off) expect(Object.keys(depends_on ?? {}), name).to.not.include(store)
      for (const network of ['database', 'cache']) expect(networks, name).to.not.include(network)
    }
  })

  it('replaces every address and secret that docker-compose.yml takes from its own', () => {
    const own = on.filter(name => JSON.stringify(base[name]!.environment ?? {}).includes('/secrets/'))
    expect(own).to.have.members(['api', 'events', 'janitor', 'admin'])
    for (const name of own) {
      const given = external[name]!.environment!
      for (const [variable, value] of Object.entries(base[name]!.environment!)) {
        if (String(value).startsWith('/secrets'))
          expect(given, name).to.include.keys(variable.replace(/_FILE$/, ''))
      }
    }
    for (const [name, user] of [
      ['previews', 'PREVIEWS'],
      ['previews-pictures', 'THUMBNAILS'],
    ] as const)
      expect(external[name]!.environment!['REDIS_URL'], name).to.include(`${user}_REDIS_URL:?`)
  })
})

describe('compose.bucket.yml', () => {
  const base = mergedCompose('docker-compose.yml').services
  const bucket = mergedCompose('infra/compose.bucket.yml').services

  it('gives the keys and the address to every process with the files, and to no other', () => {
    const users = Object.keys(base).filter(name =>
      base[name]!.volumes?.some(volume => volume.startsWith('files:')),
    )
    expect(users).to.have.members(['api', 'previews-pictures', 'janitor', 'admin'])
    expect(Object.keys(bucket)).to.have.members(users)
    for (const name of users)
      expect(bucket[name]!.environment, name).to.include.keys(
        ...['FILES_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
      )
    const makers = users.filter(name => base[name]!.environment?.['BACKUP_DIR'] !== undefined)
    expect(makers).to.have.members(['janitor', 'admin'])
    for (const name of makers)
      expect(bucket[name]!.environment!['BACKUP_DIR'], name).to.include('{BACKUP_DIR:-/backups}')
  })
})
