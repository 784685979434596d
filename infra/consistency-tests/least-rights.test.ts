import { expect } from 'chai'
import { REDIS_USERS, redisRights } from '#shared/stores/redis-users.ts'
import { type ComposeProject, type Container, mergedCompose } from './merged-compose.fixture.ts'

/** Every right of every container, for each set of Compose files; infra/kubernetes/chart.slow.test.ts has the chart. */

interface Rights {
  networks: string[]
  /** As in the file: name or path, folder, `ro`. */
  volumes: string[]
  /** Variables that hold a secret or the way to one. */
  secrets?: string[]
  redisUser?: 'default' | (typeof REDIS_USERS)[number]
  capabilities?: string[]
  published?: true
}

const SETTINGS = './infra/settings:/settings:ro'
const OWN_SECRETS = [
  'DATABASE_URL_FILE',
  'REDIS_URL_FILE',
  'SESSION_SECRET_FILE',
  'SESSION_SECRET_PREVIOUS_FILE',
]
const SWITCHES_USER = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']
const BASE: Record<string, Rights> = {
  caddy: {
    networks: ['outside', 'front'],
    volumes: ['./infra/Caddyfile:/etc/caddy/Caddyfile:ro', 'caddy:/data'],
    capabilities: ['NET_BIND_SERVICE'],
    published: true,
  },
  api: {
    networks: ['front', 'database', 'cache'],
    volumes: ['secrets:/secrets:ro', 'files:/data/files', SETTINGS],
    secrets: [...OWN_SECRETS, 'SECRETS_KEY'],
    redisUser: 'default',
  },
  events: {
    networks: ['front', 'database', 'cache'],
    volumes: ['secrets:/secrets:ro', SETTINGS],
    secrets: OWN_SECRETS,
    redisUser: 'default',
  },
  previews: {
    networks: ['outside', 'cache'],
    volumes: [SETTINGS],
    secrets: ['REDIS_URL'],
    redisUser: 'previews',
  },
  'previews-pictures': {
    networks: ['cache'],
    volumes: ['files:/data/files'],
    secrets: ['REDIS_URL'],
    redisUser: 'thumbnails',
  },
  janitor: {
    networks: ['database', 'cache'],
    volumes: ['secrets:/secrets:ro', 'files:/data/files', 'backups:/backups', SETTINGS],
    secrets: [...OWN_SECRETS, 'SECRETS_KEY', 'BACKUP_PASSPHRASE'],
    redisUser: 'default',
  },
  admin: {
    networks: ['database', 'cache'],
    volumes: [
      'secrets:/secrets:ro',
      'secrets-database:/secrets-database:ro',
      'files:/data/files',
      'backups:/backups',
      SETTINGS,
    ],
    secrets: [...OWN_SECRETS, 'SECRETS_KEY', 'BACKUP_PASSPHRASE', 'DATABASE_ADMIN_URL_FILE'],
    redisUser: 'default',
  },
  stun: { networks: ['outside'], volumes: [SETTINGS], published: true },
  setup: {
    networks: [],
    volumes: ['secrets:/secrets', 'secrets-database:/secrets-database', 'secrets-redis:/secrets-redis'],
  },
  database: { networks: ['database'], volumes: ['secrets-database:/secrets-database:ro'] },
  postgres: {
    networks: ['database'],
    volumes: ['secrets-database:/secrets-database:ro', 'postgres:/var/lib/postgresql/data'],
    secrets: ['POSTGRES_PASSWORD_FILE'],
    capabilities: SWITCHES_USER,
  },
  redis: {
    networks: ['cache'],
    volumes: ['secrets-redis:/secrets-redis:ro', 'redis:/data'],
    capabilities: SWITCHES_USER,
  },
}

const BUCKET = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']
const DATABASE = ['DATABASE_URL', 'DATABASE_DIRECT_URL']
const STORES = [...DATABASE, 'REDIS_URL', 'SESSION_SECRET', 'SESSION_SECRET_PREVIOUS']
const plus = (name: string, more: Partial<Rights>): Rights => ({
  ...BASE[name]!,
  networks: [...BASE[name]!.networks, ...(more.networks ?? [])],
  volumes: [...BASE[name]!.volumes, ...(more.volumes ?? [])],
  secrets: [...(BASE[name]!.secrets ?? []), ...(more.secrets ?? [])],
})
const onNetworks = (networks: string[], rights: Rights): Rights => ({ ...rights, networks })

const WITH_BUCKET = Object.fromEntries(
  ['api', 'previews-pictures', 'janitor', 'admin'].map(name => [
    name,
    plus(name, { networks: ['bucket'], secrets: BUCKET }),
  ]),
)
const WITH_HTTPS = { caddy: plus('caddy', { volumes: ['./infra/certificate:/certificate:ro'] }) }
const EXTERNAL: Record<string, Rights> = {
  api: onNetworks(['front', 'stores'], plus('api', { secrets: [...STORES, ...BUCKET] })),
  events: onNetworks(['front', 'stores'], plus('events', { secrets: STORES })),
  janitor: onNetworks(['stores'], plus('janitor', { secrets: [...STORES, ...BUCKET] })),
  admin: onNetworks(['stores'], plus('admin', { secrets: [...STORES, ...BUCKET, 'DATABASE_ADMIN_URL'] })),
  previews: onNetworks(['outside'], BASE['previews']!),
  'previews-pictures': onNetworks(['pictures'], plus('previews-pictures', { secrets: BUCKET })),
  database: onNetworks(['stores'], plus('database', { secrets: DATABASE })),
}
const OBSERVED = Object.fromEntries(
  ['api', 'events', 'previews', 'previews-pictures', 'janitor', 'stun'].map(name => [
    name,
    plus(name, { networks: ['metrics'] }),
  ]),
)
const OBSERVERS: Record<string, Rights> = {
  prometheus: {
    networks: ['metrics'],
    volumes: [
      './infra/observe/prometheus.yml:/etc/prometheus/prometheus.yml:ro',
      './infra/observe/alerts.yml:/etc/prometheus/alerts.yml:ro',
      'prometheus:/prometheus',
    ],
  },
  grafana: {
    networks: ['metrics', 'outside'],
    volumes: [
      './infra/observe/grafana.yml:/etc/grafana/provisioning/datasources/bothy.yml:ro',
      './infra/observe/dashboards.yml:/etc/grafana/provisioning/dashboards/bothy.yml:ro',
      './infra/observe/dashboards:/dashboards:ro',
      'grafana:/var/lib/grafana',
    ],
    secrets: ['GF_SECURITY_ADMIN_PASSWORD'],
    published: true,
  },
}
const SETS: [files: string[], rights: Record<string, Rights>, leadsOut: string[]][] = [
  [[], {}, ['outside']],
  [['infra/compose.office.yml'], {}, ['outside']],
  [['infra/compose.https.yml'], WITH_HTTPS, ['outside']],
  [['infra/compose.bucket.yml'], WITH_BUCKET, ['outside', 'bucket']],
  [
    ['infra/compose.office.yml', 'infra/compose.https.yml', 'infra/compose.bucket.yml'],
    { ...WITH_HTTPS, ...WITH_BUCKET },
    ['outside', 'bucket'],
  ],
  [['infra/compose.external.yml'], EXTERNAL, ['outside', 'stores', 'pictures']],
  [
    ['infra/compose.https.yml', 'infra/compose.external.yml'],
    { ...WITH_HTTPS, ...EXTERNAL },
    ['outside', 'stores', 'pictures'],
  ],
  [['infra/observe/compose.observe.yml'], { ...OBSERVED, ...OBSERVERS }, ['outside']],
]

describe('each container has its networks, folders, secrets and Redis user, and nothing else', () => {
  for (const [files, changed, leadsOut] of SETS)
    it(`with ${['docker-compose.yml', ...files].join(', ')}`, () => {
      const project = mergedCompose('docker-compose.yml', ...files)
      const wanted: Record<string, Rights> = { ...BASE, ...changed }
      expect(Object.keys(project.services)).to.have.members(Object.keys(wanted))
      for (const [name, rights] of Object.entries(wanted)) {
        const container = project.services[name]!
        expect(container.networks ?? [], name).to.have.members(rights.networks)
        expect(container.network_mode, name).to.equal(rights.networks.length === 0 ? 'none' : undefined)
        expect(container.volumes ?? [], name).to.have.members(rights.volumes)
        expect(secretsOf(container), name).to.have.members(rights.secrets ?? [])
        expect(redisUserOf(container), name).to.equal(rights.redisUser)
        expect(container.cap_drop, name).to.deep.equal(['ALL'])
        expect(container.cap_add ?? [], name).to.have.members(rights.capabilities ?? [])
        expect(container.security_opt, name).to.deep.equal(['no-new-privileges:true'])
        // Images of others that were not tried with it.
        if (!(name in OBSERVERS)) expect(container.read_only, name).to.equal(true)
        // Reaps what a killed health check leaves. The observers have no health checks.
        if (!(name in OBSERVERS)) expect(container.init, name).to.equal(true)
        expect(container.ports !== undefined, name).to.equal(rights.published === true)
        expect(container, name).to.not.have.any.keys(
          ...['privileged', 'user', 'pid', 'ipc', 'devices', 'extra_hosts', 'volumes_from'],
        )
      }
      expect(waysOut(project)).to.have.members(leadsOut)
    })
})

describe('the Redis users', () => {
  it('of cards and thumbnails have their own keys, and none of sessions or of the other', () => {
    const keysOf = (user: (typeof REDIS_USERS)[number]) =>
      redisRights(user, 'bothy:').filter(rule => rule.startsWith('~'))
    expect(REDIS_USERS).to.deep.equal(['previews', 'thumbnails'])
    expect(keysOf('previews')).to.deep.equal([
      '~bothy:queues:previews:*',
      '~bothy:cards',
      '~bothy:card:*',
      '~bothy:card-picture:*',
      '~bothy:card-wanted:*',
      '~bothy:card-worker',
      '~bothy:queues:outgoing:*',
      '~bothy:outgoing:*',
      '~bothy:outgoing-answer:*',
      '~bothy:outgoing-worker',
    ])
    expect(keysOf('thumbnails')).to.deep.equal(['~bothy:queues:thumbnails:*', '~bothy:thumbnail:*'])
  })
})

function secretsOf({ environment = {} }: Container): string[] {
  const isSecret = /SECRET|PASS(?:WORD|PHRASE)|TOKEN|KEY|HEADERS|^(?:DATABASE|REDIS)\w*_URL(?:_FILE)?$/
  return Object.keys(environment).filter(name => isSecret.test(name))
}

function redisUserOf({ environment = {} }: Container): string | undefined {
  const { REDIS_URL: url, REDIS_URL_FILE: file } = environment
  if (file !== undefined) return 'default'
  if (url === undefined) return undefined
  // redis://<user>:… of docker-compose.yml, <USER>_REDIS_URL of compose.external.yml.
  return /^redis:\/\/(\w+):|\{(\w+)_REDIS_URL:/.exec(String(url))?.slice(1).find(Boolean)?.toLowerCase()
}

const waysOut = ({ networks }: ComposeProject) =>
  Object.keys(networks).filter(name => !networks[name]?.internal)
