import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse, YAMLMap, YAMLSeq } from 'yaml'
import { ROOT } from '#shared/runtime/config.ts'
import { LOGGING } from '../dev-stores/postgres.ts'

/** Reads docker-compose.yml without an engine; infra/system-tests/compose.test.ts starts it. */
describe('the containers of docker-compose.yml', () => {
  interface Container {
    mem_limit?: string
    cpus?: number
    command?: string[]
    environment?: Record<string, string>
    pids_limit?: number
    cap_drop?: string[]
    security_opt?: string[]
    networks?: string[]
    logging?: { driver: string; options: Record<string, string> }
  }
  const { services, networks } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), {
    merge: true,
  }) as { services: Record<string, Container>; networks: Record<string, { internal?: boolean } | null> }
  const containers = Object.entries(services)

  it('all have limits of memory and processes, so that none takes the host along', () => {
    for (const [name, { mem_limit, pids_limit }] of containers) {
      expect(mem_limit, name).to.match(/^[12]g$/)
      expect(pids_limit, name).to.be.within(100, 500)
    }
  })

  it('that work in the background get one core each', () => {
    const limited = containers.filter(([, { cpus }]) => cpus !== undefined)
    expect(limited.map(([name]) => name)).to.have.members(['previews', 'thumbnails', 'janitor', 'stun'])
    for (const [name, { cpus }] of limited) expect(cpus, name).to.equal(1)
  })

  it('of the stores use the memory that they have, here and in a large office', () => {
    const office = parse(readFileSync(join(ROOT, 'infra/compose.office.yml'), 'utf8')) as {
      services: Record<string, Container>
    }
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
    const office = parse(readFileSync(join(ROOT, 'infra/compose.office.yml'), 'utf8')) as {
      services: Record<string, Container>
    }
    for (const { postgres } of [services, office.services])
      expect(postgres!.command!.filter(word => word.startsWith('-clog_'))).to.deep.equal(
        LOGGING.map(setting => `-c${setting}`),
      )
  })

  it('that run for long, also those that observe, bound their logs', () => {
    const observe = parse(readFileSync(join(ROOT, 'infra/observe/compose.observe.yml'), 'utf8'), {
      merge: true,
    }) as { services: Record<string, Container> }
    const added = Object.entries(observe.services).filter(([name]) => !(name in services))
    expect(added.map(([name]) => name)).to.include('prometheus')
    for (const [name, { logging }] of [...containers, ...added])
      expect(logging, name).to.deep.equal({
        driver: 'local',
        options: { 'max-size': '20m', 'max-file': '5' },
      })
  })

  it('all drop capabilities and gain no privileges', () => {
    for (const [name, { cap_drop, security_opt }] of containers) {
      expect(cap_drop, name).to.deep.equal(['ALL'])
      expect(security_opt, name).to.deep.equal(['no-new-privileges:true'])
    }
  })

  it('reach the internet only where they need it', () => {
    const outside = Object.keys(networks).filter(name => !networks[name]?.internal)
    expect(outside).to.deep.equal(['outside'])
    const reaching = containers.filter(([, container]) => container.networks?.includes('outside'))
    expect(reaching.map(([name]) => name)).to.have.members(['caddy', 'previews', 'stun'])
    for (const [name, container] of containers) expect(container.networks, name).to.not.equal(undefined)
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

/** Compose replaces what is tagged `!override` or `!reset`, and merges the rest. */
describe('compose.external.yml', () => {
  interface Part {
    environment?: Record<string, string>
    networks?: string[]
    depends_on?: Record<string, unknown>
    profiles?: string[]
    command?: string[]
  }
  const customTags = ['!override', '!reset'].flatMap(tag => [
    { tag, collection: 'seq' as const, nodeClass: YAMLSeq },
    { tag, collection: 'map' as const, nodeClass: YAMLMap },
  ])
  const read = (path: string) =>
    (
      parse(readFileSync(join(ROOT, path), 'utf8'), { merge: true, customTags }) as {
        services: Record<string, Part>
      }
    ).services
  const base = read('docker-compose.yml')
  const external = read('infra/compose.external.yml')
  const off = Object.keys(external).filter(name => external[name]!.profiles?.includes('own-stores'))
  const on = Object.keys(base).filter(name => !off.includes(name))

  it('starts no stores, and nothing that waits for them or shares their networks', () => {
    expect(off).to.have.members(['setup', 'postgres', 'redis'])
    for (const name of on) {
      const { depends_on, networks } = { ...base[name], ...external[name] }
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
    for (const name of ['previews', 'thumbnails'])
      expect(external[name]!.environment!['REDIS_URL'], name).to.include(`${name.toUpperCase()}_REDIS_URL:?`)
  })
})

describe('compose.bucket.yml', () => {
  const read = (path: string) =>
    parse(readFileSync(join(ROOT, path), 'utf8'), { merge: true }) as {
      services: Record<
        string,
        { environment?: Record<string, string>; networks?: string[]; volumes?: string[] }
      >
      networks?: Record<string, { internal?: boolean } | null>
    }
  const base = read('docker-compose.yml').services
  const bucket = read('infra/compose.bucket.yml')

  it('gives the keys and the address to every process with the files, and a way to those that ask for objects', () => {
    const users = Object.keys(base).filter(name =>
      base[name]!.volumes?.some(volume => volume.startsWith('files:')),
    )
    expect(Object.keys(bucket.services)).to.have.members(users)
    for (const name of users) {
      expect(bucket.services[name]!.environment, name).to.include.keys(
        ...['FILES_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
      )
      if (name !== 'events') expect(bucket.services[name]!.networks, name).to.deep.equal(['bucket'])
    }
    expect(bucket.networks).to.deep.equal({ bucket: null })
    const makers = users.filter(name => base[name]!.environment?.['BACKUP_DIR'] !== undefined)
    expect(makers).to.have.members(['janitor', 'admin'])
    for (const name of makers)
      expect(bucket.services[name]!.environment!['BACKUP_DIR'], name).to.include('{BACKUP_DIR:-/backups}')
  })
})
