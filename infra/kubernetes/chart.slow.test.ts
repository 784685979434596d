import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '#shared/runtime/config.ts'
import { isDatabaseUrl } from '#shared/runtime/database-url.ts'
import { isRedisUrl } from '#shared/runtime/redis-url.ts'
import { type ChartTools, chartTools, runHelm } from './chart-tools.fixture.ts'

const CHART = join(ROOT, 'infra/kubernetes/chart')
const EXAMPLES = join(ROOT, 'infra/kubernetes/examples')
const PROCESSES = ['api', 'events', 'previews', 'previews-pictures', 'janitor', 'stun']
/** Processes with a Redis user of their own, and the user. */
const REDIS_USERS = [
  ['previews', 'previews'],
  ['previews-pictures', 'thumbnails'],
] as const
const STORES = ['database-url', 'redis-url', 'session-secret', 'session-secret-previous']
/** The packages with the types of other interfaces than Kubernetes' own. */
const PACKAGES: [prefix: string, name: string][] = [
  ['monitoring.coreos.com', '@kubernetes-models/prometheus-operator'],
  ['gateway.networking', '@kubernetes-models/gateway-api'],
  ['postgresql.cnpg.io', '@kubernetes-models/cloudnative-pg'],
]
/** Kinds that no package describes. */
const UNKNOWN = ['ObjectStore']

// biome-ignore lint/suspicious/noExplicitAny: they are what the files say.
type Document = any

/** Renders the chart with Helm and checks it against Kubernetes' types and schemas. No cluster is needed. */
describe('the Helm chart', function () {
  this.timeout(300_000)
  let tools: ChartTools

  before(async function () {
    const found = await chartTools()
    if (found === undefined) {
      console.log('  (the chart is not tried: set HELM, or use Linux on x64)')
      return this.skip()
    }
    tools = found
  })

  const helm = (...args: string[]) => runHelm(tools, args)
  function render(...args: string[]): Document[] {
    const { ok, stdout, stderr } = helm('template', 'bothy', CHART, ...args)
    expect(ok, stderr).to.equal(true)
    return documentsIn(stdout)
  }
  const values = (name: string) => ['-f', join(EXAMPLES, `values-${name}.yaml`)]
  const VARIANTS: Record<string, string[]> = {
    defaults: [],
    office: values('office'),
    gateway: values('gateway'),
    hosts: values('hosts'),
    traefik: ['--set', 'ingress.enabled=true,ingress.preset=traefik'],
    small: [
      ...['--set', 'backups.enabled=false,migrations.enabled=false,podDisruptionBudgets=false'],
      ...[
        '--set',
        'networkPolicies.enabled=false,ingress.enabled=true,ingress.tlsSecret=',
        '--set',
        'topologyKeys=null',
      ],
    ],
  }
  const find = (all: Document[], kind: string, component?: string): Document => {
    const found = all.filter(one => one.kind === kind && (!component || labelOf(one) === component))
    expect(found, `${kind} ${component}`).to.have.length(1)
    return found[0]
  }
  const workload = (all: Document[], name: string): Document =>
    all.find(one => ['Deployment', 'DaemonSet', 'Job'].includes(one.kind) && labelOf(one) === name)
  const podOf = (all: Document[], name: string): Document => workload(all, name).spec.template.spec

  it('renders without a complaint of Helm, with each example of values', () => {
    for (const [name, args] of Object.entries(VARIANTS)) {
      expect(render(...args).length, name).to.be.greaterThan(10)
      const linted = helm('lint', '--strict', CHART, ...args)
      expect(linted.ok, linted.stdout + linted.stderr).to.equal(true)
    }
  })

  it('and the examples of stores have only fields and values that Kubernetes knows', async () => {
    const all = Object.values(VARIANTS).flatMap(args => render(...args))
    for (const file of ['cloudnative-pg.yaml', 'valkey.yaml'])
      all.push(...documentsIn(readFileSync(join(EXAMPLES, file), 'utf8')))
    expect(await faultsIn(tools, all)).to.deep.equal([])
  })

  it('would be refused with a misspelt field, a wrong type or a missing one', async () => {
    const broken = (change: (api: Document) => void) => {
      const api = find(render(), 'Deployment', 'api')
      change(api)
      return faultsIn(tools, [api])
    }
    const misspelt = await broken(api => (api.spec.template.spec.containers[0].readinesProbe = {}))
    expect(misspelt.join()).to.include('readinesProbe')
    const wrong = await broken(api => (api.spec.replicas = 'two'))
    expect(wrong.join()).to.include('replicas')
    const missing = await broken(api => delete api.spec.selector)
    expect(missing.join()).to.include('selector')
  })

  it('refuses values that it does not know, with a sentence', () => {
    const refused: [setting: string, sentence: string][] = [
      ['ingres.enabled=true', 'ingres'],
      ['ingress.preset=apache', '/ingress/preset'],
      ['host=https://chat.example.org', '/host'],
      ['existingSecret=', '/existingSecret'],
      ['gateway.enabled=true', '/gateway/parentRefs'],
      ['api.replicas=-1', '/api/replicas'],
      ['image.digest=latest', '/image/digest'],
      ['files.bucket=https://s3.example.org/files', '/files/bucket'],
      ['database.hosts={postgres://db1}', '/database/hosts/0'],
    ]
    for (const [setting, sentence] of refused) {
      const { ok, stderr } = helm('template', 'bothy', CHART, '--set', setting)
      expect(ok, setting).to.equal(false)
      expect(stderr, setting).to.include(sentence)
    }
    expect(helm('template', 'bothy', CHART, '--kube-version', '1.29.0').ok, 'preStop.sleep').to.equal(false)
  })

  it('starts each process as Compose does: the same command, variables and folders', () => {
    const compose: Document = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true })
    const all = render(...values('office'), '--set', 'secrets.secretsKey.name=keys')
    const environment = all.find(one => one.kind === 'ConfigMap' && one.data.DATABASE_URL_FILE).data
    const ours = Object.entries<Document>(compose.services).filter(([, service]) =>
      service.image.includes('BOTHY_IMAGE'),
    )
    const names = ours.map(([name]) => name).filter(name => !['setup', 'database', 'admin'].includes(name))
    expect(names).to.have.members(PROCESSES)
    for (const name of PROCESSES) {
      const [container] = podOf(all, name).containers
      const there = compose.services[name]
      expect(container.command, name).to.deep.equal(there.command)
      const variables = [
        ...(container.env ?? []).map((variable: Document) => variable.name),
        ...(container.envFrom ? Object.keys(environment) : []),
      ]
      // The port that Compose publishes; a key that is a file here.
      const wanted = Object.keys(there.environment)
        .filter(one => one !== 'PUBLISHED_PORT')
        .map(one => (one === 'SECRETS_KEY' ? 'SECRETS_KEY_FILE' : one))
      expect(variables, name).to.include.members(wanted)
      const folders = (there.volumes as string[]).map(volume => volume.split(':')[1])
      const mounted = container.volumeMounts.map((mount: Document) => mount.mountPath)
      expect(mounted, name).to.have.members([...folders, '/tmp'])
    }
  })

  it('gives every pod probes of itself alone, limits, and no rights', () => {
    const all = Object.values(VARIANTS).flatMap(args => render(...args))
    const workloads = all.filter(one => one.spec?.template?.spec?.containers)
    expect(new Set(workloads.map(labelOf))).to.deep.equal(new Set([...PROCESSES, 'migrate']))
    for (const one of workloads) {
      const pod = one.spec.template.spec
      const [container] = pod.containers
      if (one.kind !== 'Job') {
        expect(container.startupProbe.httpGet.path).to.equal('/healthz')
        expect(container.livenessProbe.httpGet.path).to.equal('/healthz')
        expect(container.readinessProbe.httpGet.path, 'without the stores').to.equal('/readyz')
      }
      expect(container.resources.limits.memory).to.be.a('string')
      expect(container.resources.requests.cpu).to.be.a('string')
      expect(container.securityContext).to.deep.equal({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      expect(pod.securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 })
      expect(pod.securityContext.seccompProfile).to.deep.equal({ type: 'RuntimeDefault' })
      expect(pod.enableServiceLinks).to.equal(false)
      expect(pod.automountServiceAccountToken).to.equal(false)
      const volumes = pod.volumes.map((volume: Document) => volume.name)
      expect(volumes).to.have.members(container.volumeMounts.map((mount: Document) => mount.name))
    }
    expect(find(render(), 'Deployment', 'janitor').spec).to.deep.include({
      replicas: 1,
      strategy: { type: 'Recreate' },
    })
  })

  it('has no reference that leads nowhere', () => {
    for (const [name, args] of Object.entries(VARIANTS)) {
      const all = render(...args)
      const pods = all.filter(one => one.spec?.template?.spec?.containers)
      const labels = pods.map(one => one.spec.template.metadata.labels)
      const meets = (wanted: Document) =>
        labels.some(own => Object.entries(wanted).every(([key, value]) => own[key] === value))
      for (const { kind, metadata, spec } of all) {
        const selector =
          spec?.selector?.matchLabels ?? (kind === 'Service' ? spec.selector : spec?.podSelector?.matchLabels)
        const isChosen =
          kind !== 'ServiceMonitor' &&
          selector &&
          !(kind === 'NetworkPolicy' && metadata.name.endsWith('-migrate'))
        if (isChosen) expect(meets(selector), `${name}: ${kind} ${metadata.name}`).to.equal(true)
      }
      const has = (kind: string, wanted: string) =>
        all.some(one => one.kind === kind && one.metadata.name === wanted)
      for (const autoscaler of all.filter(one => one.kind === 'HorizontalPodAutoscaler')) {
        const { kind, name: target } = autoscaler.spec.scaleTargetRef
        expect(has(kind, target), target).to.equal(true)
        expect(all.find(one => one.kind === kind && one.metadata.name === target).spec).to.not.have.property(
          'replicas',
        )
      }
      for (const service of JSON.stringify(all).matchAll(/"(?:service|backendRefs)":\[?\{"name":"([^"]+)"/g))
        expect(has('Service', service[1]!), service[1]).to.equal(true)
      const ownClaims = pods.flatMap(one => one.spec.template.spec.volumes)
      for (const { configMap, persistentVolumeClaim } of ownClaims) {
        if (configMap) expect(has('ConfigMap', configMap.name), configMap.name).to.equal(true)
        if (persistentVolumeClaim && persistentVolumeClaim.claimName !== 'office-files')
          expect(has('PersistentVolumeClaim', persistentVolumeClaim.claimName)).to.equal(true)
      }
    }
    const monitor = find(render(...values('office')), 'ServiceMonitor')
    const service = find(render(...values('office')), 'Service', 'metrics')
    expect(service.metadata.labels).to.include(monitor.spec.selector.matchLabels)
  })

  it('contains no secret, and keeps those of the others from both processes of previews', () => {
    const all = render(...values('gateway'))
    expect(all.map(one => one.kind)).to.not.include('Secret')
    for (const [name, user] of REDIS_USERS) {
      const pod = podOf(all, name)
      expect(JSON.stringify(pod)).to.not.match(/DATABASE|SESSION|\/secrets/)
      const references = [...JSON.stringify(pod).matchAll(/"secretKeyRef":(\{.*?\})/g)].map(([, ref]) =>
        JSON.parse(ref!),
      )
      expect(references).to.deep.equal([{ name: 'bothy', key: `${user}-redis-url` }])
    }
    expect(podOf(all, 'previews').volumes.map((volume: Document) => volume.name)).to.not.include('files')
  })

  it('takes single secrets from elsewhere', () => {
    const [projected] = podOf(render(...values('office')), 'api').volumes.filter(
      (one: Document) => one.projected,
    )
    const entries = projected.projected.sources.map(({ secret }: Document) => [
      secret.name,
      secret.items[0].key,
      secret.items[0].path,
    ])
    expect(entries).to.deep.equal([
      ['bothy-db-app', 'uri', 'database-url'],
      ['bothy', 'redis-url', 'redis-url'],
      ['bothy', 'session-secret', 'session-secret'],
      ['bothy', 'session-secret-previous', 'session-secret-previous'],
    ])
  })

  it('gives lists of servers and sentinels, buckets and a collector to the processes that use them', () => {
    const all = render(...values('hosts'))
    const environment = all.find(one => one.kind === 'ConfigMap' && one.data.SESSION_SECRET_FILE).data
    const envOf = (name: string): Record<string, string> => ({
      ...(podOf(all, name).containers[0].envFrom ? environment : {}),
      ...Object.fromEntries(
        (podOf(all, name).containers[0].env ?? []).map((one: Document) => [
          one.name,
          one.value ?? one.valueFrom.secretKeyRef.key,
        ]),
      ),
    })
    const database =
      'postgres://bothy_app:$(DATABASE_PASSWORD)@db1.example.org:5432,db2.example.org:5432/bothy?target_session_attrs=read-write'
    const sentinels = (user: string) =>
      `rediss+sentinel://${user}:$(REDIS_PASSWORD)@s1.example.org:26379,s2.example.org:26379,s3.example.org:26379/office?sentinel_password=$(SENTINEL_PASSWORD)`
    const bucket = {
      FILES_URL: 's3://office-files/bothy?endpoint=https://s3.example.org&region=eu-central-1',
      AWS_ACCESS_KEY_ID: 'aws-access-key-id',
      AWS_SECRET_ACCESS_KEY: 'aws-secret-access-key',
    }
    for (const name of ['api', 'events', 'janitor']) {
      const env = envOf(name)
      expect(env, name).to.include({ DATABASE_URL: database, REDIS_URL: sentinels('') })
      // The address as the process reads it, with a password in place of the variable.
      const address = (text: string) => text.replace(/\$\(\w+\)/g, 'secret')
      expect(isDatabaseUrl(address(env['DATABASE_URL']!)), name).to.equal(true)
      expect(isRedisUrl(address(env['REDIS_URL']!)), name).to.equal(true)
      expect(Object.keys(env)).to.not.include.members(['DATABASE_URL_FILE'])
      expect(Object.keys(env).indexOf('DATABASE_PASSWORD')).to.be.lessThan(
        Object.keys(env).indexOf('DATABASE_URL'),
      )
    }
    for (const [name, user] of REDIS_USERS) {
      expect(envOf(name)).to.include({
        REDIS_URL: sentinels(user),
        REDIS_PASSWORD: `${user}-redis-password`,
      })
      expect(Object.keys(envOf(name)).join()).to.not.match(/DATABASE|SESSION/)
    }
    for (const name of ['api', 'previews-pictures', 'janitor']) expect(envOf(name), name).to.include(bucket)
    for (const name of ['events', 'previews'])
      expect(envOf(name), name).to.not.have.any.keys(Object.keys(bucket))
    expect(envOf('janitor')['BACKUP_DIR']).to.match(/^s3:\/\/office-backups\/nightly\?/)
    expect(all.map(one => one.kind)).to.not.include('PersistentVolumeClaim')
    const volumes = podOf(all, 'api').volumes
    expect(volumes.find((one: Document) => one.name === 'files').emptyDir).to.be.an('object')
    expect(envOf('migrate')['DATABASE_URL']).to.equal(database)
    expect(JSON.stringify(podOf(all, 'migrate'))).to.not.include('/secrets')
  })

  it('lets the processes that use a bucket or sentinels reach them, and no others', () => {
    const all = render(...values('hosts'))
    const portsOf = (name: string) =>
      find(all, 'NetworkPolicy', name).spec.egress.flatMap((rule: Document) =>
        (rule.ports ?? []).map(({ port }: Document) => port),
      )
    const wanted: Record<string, number[]> = {
      api: [53, 53, 5432, 6379, 26379, 443],
      events: [53, 53, 5432, 6379, 26379],
      janitor: [53, 53, 5432, 6379, 26379, 443],
      'previews-pictures': [53, 53, 6379, 26379, 443],
      previews: [53, 53, 6379, 26379],
      migrate: [53, 53, 5432],
    }
    for (const [name, ports] of Object.entries(wanted)) expect(portsOf(name), name).to.have.members(ports)
  })

  it('names PostgreSQL itself beside a pooler, also for the migration', () => {
    const all = render('--set', 'secrets.databaseDirect.key=database-direct-url,database.poolSize=5')
    const environment = all.find(one => one.kind === 'ConfigMap' && one.data.DATABASE_URL_FILE).data
    expect(environment).to.include({
      DATABASE_DIRECT_URL_FILE: '/secrets/database-direct-url',
      DATABASE_POOL_SIZE: '5',
    })
    const items = (name: string) =>
      podOf(all, name)
        .volumes.find((one: Document) => one.projected)
        .projected.sources.map(({ secret }: Document) => secret.items[0])
    expect(items('api')).to.deep.include({ key: 'database-direct-url', path: 'database-direct-url' })
    expect(items('migrate')).to.deep.equal([{ key: 'database-direct-url', path: 'database-url' }])
  })

  it('migrates before the new processes start, with the role that owns the tables', () => {
    const all = render(...values('gateway'))
    const job = find(all, 'Job', 'migrate')
    expect(job.metadata.annotations['helm.sh/hook']).to.equal('pre-install,pre-upgrade')
    const pod = job.spec.template.spec
    expect(pod.containers[0].command).to.deep.equal(['node', 'infra/tools/migrate.ts'])
    expect(pod.containers[0].image).to.equal(podOf(all, 'api').containers[0].image)
    // At the first installation nothing else of the chart exists yet.
    expect(JSON.stringify(pod)).to.not.match(/configMap|persistentVolumeClaim/)
    expect(JSON.stringify(pod.volumes))
      .to.include('"name":"bothy-owner"')
      .and.to.not.include('"name":"bothy",')
    expect(JSON.stringify(podOf(render(), 'migrate').volumes)).to.include('"name":"bothy"')
  })

  it('lets each process reach only what it needs', () => {
    const all = render(...values('office'))
    const policyOf = (name: string) => find(all, 'NetworkPolicy', name).spec
    const portsOf = (rules: Document[]) => [
      ...new Set(rules.flatMap(rule => rule.ports ?? []).map(({ port }) => port)),
    ]
    for (const name of ['api', 'events', 'janitor']) {
      expect(policyOf(name).policyTypes).to.deep.equal(['Ingress', 'Egress'])
      expect(portsOf(policyOf(name).egress)).to.have.members([53, 5432, 6379])
      expect(
        policyOf(name).egress.every((rule: Document) => rule.to?.length > 0),
        name,
      ).to.equal(true)
    }
    for (const name of ['janitor', 'previews', 'previews-pictures'])
      expect(portsOf(policyOf(name).ingress)).to.deep.equal(['metrics'])
    expect(portsOf(policyOf('previews-pictures').egress)).to.have.members([53, 6379])
    expect(portsOf(policyOf('migrate').egress)).to.have.members([53, 5432])
    const world = policyOf('previews')
      .egress.flatMap((rule: Document) => rule.to)
      .find((to: Document) => to.ipBlock?.except)
    for (const range of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      '127.0.0.0/8',
      '100.64.0.0/10',
    ])
      expect(world.ipBlock.except).to.include(range)
    const allowed = find(render(...values('gateway')), 'NetworkPolicy', 'previews').spec.egress.at(-1)
    expect(allowed).to.deep.equal({ to: [{ ipBlock: { cidr: '10.20.0.0/16' } }] })
  })

  it('lets nobody but the pods of the front door reach api and events, who could name any client’s address', () => {
    const doors: Record<string, string> = { gateway: 'gateways' }
    for (const [variant, args] of Object.entries(VARIANTS)) {
      if (variant === 'small') continue
      for (const name of ['api', 'events']) {
        const ingress: Document[] = find(render(...args), 'NetworkPolicy', name).spec.ingress
        const [served] = ingress.filter(rule => rule.ports[0].port === 'http')
        const namespace = doors[variant] ?? 'ingress-nginx'
        expect(served.from, `${variant}: ${name}`).to.deep.equal([
          { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
        ])
      }
      for (const policy of render(...args).filter(one => one.kind === 'NetworkPolicy'))
        for (const rule of policy.spec.ingress)
          if (rule.ports[0].protocol === 'TCP')
            expect(rule.from, policy.metadata.name).to.have.length.above(0)
    }
    // No peer, which Kubernetes takes for all.
    for (const name of ['ingressFrom', 'metricsFrom'])
      for (const value of ['[]', 'null']) {
        const setting = `networkPolicies.${name}=${value}`
        const { ok, stderr } = helm('template', 'bothy', CHART, '--set-json', setting)
        expect(ok, setting).to.equal(false)
        expect(stderr, setting).to.include(name)
      }
  })

  /** Rights of each pod: its folders, and the entries of Secrets that it reads. */
  const RIGHTS: Record<string, { folders: string[]; secrets: string[] }> = {
    api: { folders: ['files', 'secrets', 'settings'], secrets: STORES },
    events: { folders: ['secrets', 'settings'], secrets: STORES },
    janitor: {
      folders: ['backups', 'files', 'secrets', 'settings'],
      secrets: ['backup-passphrase', ...STORES],
    },
    previews: { folders: ['settings'], secrets: ['previews-redis-url'] },
    'previews-pictures': { folders: ['files'], secrets: ['thumbnails-redis-url'] },
    stun: { folders: ['settings'], secrets: [] },
    migrate: { folders: ['secrets'], secrets: ['database-url'] },
  }

  it('gives each pod its folders and secrets, with stores, buckets and sentinels, and nothing else', () => {
    const secretsOf = (pod: Document): string[] => [
      ...(pod.containers[0].env ?? []).flatMap(
        ({ valueFrom }: Document) => valueFrom?.secretKeyRef.key ?? [],
      ),
      ...pod.volumes
        .flatMap(({ projected }: Document) => projected?.sources ?? [])
        .flatMap(({ secret }: Document) => secret.items.map(({ key }: Document) => key)),
    ]
    const check = (args: string[], changed: typeof RIGHTS = {}) => {
      const all = render('--set', 'stun.enabled=true', ...args)
      for (const [name, { folders, secrets }] of Object.entries({ ...RIGHTS, ...changed })) {
        const pod = podOf(all, name)
        const volumes = pod.volumes.map((one: Document) => one.name)
        expect(volumes, name).to.have.members([...folders, 'tmp'])
        expect([...new Set(secretsOf(pod))], name).to.have.members(secrets)
      }
    }
    check([])
    const bucket = ['aws-access-key-id', 'aws-secret-access-key']
    const servers = ['database-password', 'redis-password', 'sentinel-password']
    const sessions = ['session-secret', 'session-secret-previous']
    check(values('hosts'), {
      api: { folders: ['files', 'secrets', 'settings'], secrets: [...bucket, ...servers, ...sessions] },
      events: { folders: ['secrets', 'settings'], secrets: [...servers, ...sessions] },
      janitor: {
        folders: ['files', 'secrets', 'settings'],
        secrets: ['backup-passphrase', ...bucket, ...servers, ...sessions],
      },
      previews: { folders: ['settings'], secrets: ['previews-redis-password', 'sentinel-password'] },
      'previews-pictures': {
        folders: ['files'],
        secrets: [...bucket, 'sentinel-password', 'thumbnails-redis-password'],
      },
      migrate: { folders: [], secrets: ['database-password'] },
    })
  })

  it('spreads pods, keeps one of each kind, and never stops the last before the next is ready', () => {
    const all = render(...values('office'))
    for (const name of ['api', 'events', 'previews', 'previews-pictures']) {
      expect(find(all, 'PodDisruptionBudget', name).spec.maxUnavailable).to.equal(1)
      const { spec } = find(all, 'Deployment', name)
      expect(spec.strategy.rollingUpdate).to.deep.equal({ maxSurge: 1, maxUnavailable: 0 })
      const spread = spec.template.spec.topologySpreadConstraints
      expect(spread.map((one: Document) => one.topologyKey)).to.deep.equal([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ])
      for (const one of spread) expect(one.labelSelector.matchLabels).to.deep.equal(spec.selector.matchLabels)
    }
  })

  it('scales gateways by their streams where there are metrics of pods', () => {
    const { metrics } = find(render(...values('gateway')), 'HorizontalPodAutoscaler', 'events').spec
    expect(metrics.map((one: Document) => one.type)).to.deep.equal(['Resource', 'Pods'])
    expect(metrics[1].pods).to.deep.equal({
      metric: { name: 'bothy_sse_streams' },
      target: { type: 'AverageValue', averageValue: '2500' },
    })
  })

  it('leads /events to the gateways, unbuffered, and all else to api', () => {
    const ingress = find(render(...values('office')), 'Ingress')
    expect(ingress.spec.ingressClassName).to.equal('nginx')
    expect(ingress.metadata.annotations).to.include({
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-body-size': '30m',
      'cert-manager.io/cluster-issuer': 'office',
    })
    const paths = ingress.spec.rules[0].http.paths.map((one: Document) => [
      one.path,
      one.backend.service.name,
    ])
    expect(paths).to.deep.equal([
      ['/events', 'bothy-events'],
      ['/', 'bothy-api'],
    ])
    const { rules } = find(render(...values('gateway')), 'HTTPRoute').spec
    expect(
      rules.map((rule: Document) => [
        rule.matches[0].path.value,
        rule.backendRefs[0].name,
        rule.timeouts.request,
      ]),
    ).to.deep.equal([
      ['/events', 'bothy-events', '0s'],
      ['/', 'bothy-api', '10m'],
    ])
  })

  it('restarts processes for a new variable, not for a new setting', () => {
    const sumOf = (...args: string[]) =>
      find(render(...args), 'Deployment', 'api').spec.template.metadata.annotations['checksum/environment']
    expect(sumOf('--set', 'settings.retention_days=30')).to.equal(sumOf())
    expect(sumOf('--set', 'logLevel=debug')).to.not.equal(sumOf())
    const settings = render('--set', 'settings.retention_days=30').find(one => one.data?.['settings.json'])
    expect(JSON.parse(settings.data['settings.json'])).to.deep.equal({ retention_days: 30 })
  })

  it('offers the certificate of an own authority', () => {
    const all = render(...values('gateway'))
    expect(all.find(one => one.data?.AUTHORITY_CERTIFICATE).data.AUTHORITY_CERTIFICATE).to.equal(
      '/authority/ca.crt',
    )
    const volume = podOf(all, 'api').volumes.find((one: Document) => one.name === 'authority')
    expect(volume.secret).to.deep.equal({
      secretName: 'office-authority',
      items: [{ key: 'ca.crt', path: 'ca.crt' }],
    })
  })

  it('has names that Kubernetes takes, whatever the release is called', () => {
    const { stdout } = helm('template', 'a'.repeat(53), CHART, ...values('office'))
    for (const { metadata } of documentsIn(stdout))
      expect(metadata.name.length, metadata.name).to.be.at.most(63)
  })

  it('tests every example', () => {
    const names = readdirSync(EXAMPLES)
    expect(names).to.have.members([
      'cloudnative-pg.yaml',
      'valkey.yaml',
      'values-hosts.yaml',
      'values-office.yaml',
      'values-gateway.yaml',
    ])
  })
})

const labelOf = (one: Document): string | undefined => one.metadata.labels?.['app.kubernetes.io/component']

const documentsIn = (text: string): Document[] =>
  parseAllDocuments(text)
    .map(document => {
      expect(document.errors).to.deep.equal([])
      return document.toJS()
    })
    .filter(document => document !== null)

/** Unknown fields, by the types of the interface; wrong and missing values, by its schemas. */
async function faultsIn({ folder }: ChartTools, documents: Document[]): Promise<string[]> {
  const faults: string[] = []
  const lines: string[] = []
  for (const { apiVersion, kind, ...rest } of documents) {
    if (UNKNOWN.includes(kind)) continue
    const name = PACKAGES.find(([prefix]) => apiVersion.startsWith(prefix))?.[1] ?? 'kubernetes-models'
    const path = `${name}/${apiVersion}/${kind}`
    const file = pathToFileURL(join(folder, 'node_modules', `${path}.js`))
    const { [kind]: Model } = (await import(file.href)) as Record<
      string,
      new (
        data: unknown,
      ) => { validate(): void }
    >
    try {
      new Model!(rest).validate()
    } catch (err) {
      faults.push(`${kind} ${rest.metadata.name}: ${(err as Error).message}`)
    }
    lines.push(
      `import { ${kind} as Kind${lines.length} } from '${path}'`,
      // On one line, which is the message's.
      `new Kind${lines.length}(${JSON.stringify(rest)})`,
    )
  }
  writeFileSync(join(folder, 'documents.ts'), lines.join('\n'))
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'esnext',
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['documents.ts'] }))
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  })
  return [...faults, ...`${stdout}${stderr}`.split('\n').filter(line => line.trim() !== '')]
}
