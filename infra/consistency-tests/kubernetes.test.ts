import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '#shared/runtime/config.ts'

/** Compares infra/kubernetes/ with docker-compose.yml, as far as possible without a cluster. */

const FOLDER = join(ROOT, 'infra/kubernetes')
const PROCESSES = ['api', 'events', 'previews', 'thumbnails', 'janitor', 'stun']

/** The fields of Kubernetes' objects that these files use; others are taken for typing errors. */
const KNOWN = new Set(
  `accessModes allowPrivilegeEscalation apiVersion app automountServiceAccountToken backend capabilities cidr claimName command
  configMap configMapKeyRef configMapRef containerPort containers cpu data drop egress emptyDir enableServiceLinks env envFrom
  except failureThreshold fsGroup fsGroupChangePolicy host hostNetwork hosts http httpGet image ipBlock key kind labels
  ingress labelSelector lifecycle limits livenessProbe matchExpressions matchLabels maxSkew maxUnavailable memory metadata mountPath name
  namespaceSelector path paths pathType periodSeconds persistentVolumeClaim operator podSelector policyTypes port ports preStop protocol
  readinessProbe readOnly readOnlyRootFilesystem replicas requests resources rules runAsGroup runAsNonRoot runAsUser
  seccompProfile optional seconds secret secretKeyRef secretName securityContext selector service sleep spec startupProbe storage strategy targetPort
  template terminationGracePeriodSeconds timeoutSeconds tls to topologyKey topologySpreadConstraints type value valueFrom values
  volumeMounts volumes whenUnsatisfiable kubernetes.io/metadata.name`.split(/\s+/),
)

// biome-ignore lint/suspicious/noExplicitAny: they are what the files say.
type Document = any

describe('the files for Kubernetes', () => {
  const kustomization: Document = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8'))
  const compose: Document = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true })
  const documentsOf = (file: string): Document[] =>
    parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map(document => {
      expect(document.errors, file).to.deep.equal([])
      return document.toJS()
    })
  const all = kustomization.resources.flatMap(documentsOf)
  const shared = documentsOf('installation.yaml')
  const environment = shared.find(({ metadata }) => metadata.name === 'environment').data
  const podOf = (name: string) => documentsOf(`${name}.yaml`)[0].spec.template.spec

  it('include every process of docker-compose.yml, all listed in the kustomization', () => {
    const ours = Object.entries<Document>(compose.services).filter(([, service]) => service.image === 'bothy')
    const names = ours.map(([name]) => name).filter(name => !['setup', 'database', 'admin'].includes(name))
    expect(names).to.have.members(PROCESSES)
    const files = readdirSync(FOLDER).filter(file => file !== 'kustomization.yaml')
    expect(files).to.have.members(kustomization.resources)
    expect(files).to.have.members([...PROCESSES.map(name => `${name}.yaml`), 'installation.yaml'])
  })

  for (const name of PROCESSES) {
    it(`start ${name} as Compose does: the same image, command, variables and folders`, () => {
      const pod = podOf(name)
      const [container] = pod.containers
      const there = compose.services[name]
      expect(container.image).to.equal(there.image)
      expect(container.command).to.deep.equal(there.command)
      // The published port of Compose, and the port of stun on the network of its node.
      const apart = ['PUBLISHED_PORT', 'PORT']
      const names = variables(container).filter(variable => !apart.includes(variable))
      expect(names).to.have.members(Object.keys(there.environment).filter(one => !apart.includes(one)))
      const folders = (there.volumes as string[]).map(volume => volume.split(':')[1])
      const mounted = container.volumeMounts.map((mount: Document) => mount.mountPath)
      expect(mounted).to.have.members([...folders, '/tmp'])
    })

    it(`probe ${name} and give it no more rights than it needs`, () => {
      const pod = podOf(name)
      const [container] = pod.containers
      expect(container.livenessProbe.httpGet.path).to.equal('/healthz')
      expect(container.readinessProbe.httpGet.path).to.equal('/readyz')
      expect(container.resources.limits.memory).to.be.a('string')
      expect(container.securityContext).to.deep.equal({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      expect(pod.securityContext.runAsNonRoot).to.equal(true)
      // A Service named stun would otherwise set STUN_PORT to an address.
      expect(pod.enableServiceLinks).to.equal(false)
      expect(pod.automountServiceAccountToken).to.equal(false)
      const volumes = pod.volumes.map((volume: Document) => volume.name)
      expect(volumes).to.have.members(container.volumeMounts.map((mount: Document) => mount.name))
    })
  }

  it('keep secrets and private networks from the previews worker', () => {
    const [worker, policy] = documentsOf('previews.yaml')
    expect(JSON.stringify(worker)).to.not.match(/DATABASE/i)
    const { volumes, containers } = worker.spec.template.spec
    expect(JSON.stringify(volumes)).to.not.match(/secret/i)
    // It has its own Redis user.
    const secrets = containers[0].env.map((variable: Document) => variable.valueFrom?.secretKeyRef)
    expect(secrets.filter(Boolean)).to.deep.equal([{ name: 'previews', key: 'redis-url' }])
    expect(policy.spec.podSelector.matchLabels).to.deep.equal(worker.spec.template.metadata.labels)
    const world = policy.spec.egress.flatMap((rule: Document) => rule.to).find((to: Document) => to.ipBlock)
    for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'])
      expect(world.ipBlock.except).to.include(range)
  })

  it('give the files to thumbnails and the internet to previews, and neither both', () => {
    const volumesOf = (name: string) => podOf(name).volumes.map((volume: Document) => volume.name)
    expect(volumesOf('previews')).to.not.include('files')
    expect(compose.services.previews.volumes.join()).to.not.include('files')
    expect(compose.services.thumbnails.networks).to.deep.equal(['cache'])
    expect(compose.networks.cache).to.deep.equal({ internal: true })
    const [worker, policy] = documentsOf('thumbnails.yaml')
    expect(JSON.stringify(worker)).to.not.match(/DATABASE|SESSION/i)
    expect(policy.spec.podSelector.matchLabels).to.deep.equal(worker.spec.template.metadata.labels)
    expect(JSON.stringify(policy.spec.egress)).to.not.include('ipBlock')
  })

  it('let api, events and janitor reach only the stores and the name server', () => {
    const { spec } = shared.find(({ kind }) => kind === 'NetworkPolicy')
    const [chosen] = spec.podSelector.matchExpressions
    const withOwnPolicy = ['previews', 'thumbnails'].map(
      name => documentsOf(`${name}.yaml`)[1].spec.podSelector.matchLabels.app,
    )
    // stun uses the network of its node, where policies do not apply.
    expect([...chosen.values, ...withOwnPolicy, 'stun']).to.have.members(PROCESSES)
    for (const name of chosen.values) {
      expect(documentsOf(`${name}.yaml`)[0].spec.template.metadata.labels.app).to.equal(name)
      for (const { containerPort } of podOf(name).containers[0].ports ?? [])
        expect(spec.ingress[0].ports.map(({ port }: Document) => port)).to.include(containerPort)
    }
    expect(spec.egress[0].ports.map(({ port }: Document) => port)).to.have.members([5432, 6379, 53, 53])
  })

  it('run a single janitor, and contain no secret', () => {
    expect(documentsOf('janitor.yaml')[0].spec.replicas).to.equal(1)
    expect(all.map((document: Document) => document.kind)).to.not.include('Secret')
  })

  it('use only known fields', () => {
    for (const document of all) for (const field of fieldsOf(document)) expect([...KNOWN]).to.include(field)
  })

  function variables(container: Document): string[] {
    const single = (container.env ?? []).map((variable: Document) => {
      const key = variable.valueFrom?.configMapKeyRef?.key
      if (key) expect(environment, variable.name).to.have.property(key)
      return variable.name
    })
    return [...single, ...(container.envFrom ? Object.keys(environment) : [])]
  }
})

/** The names of all fields except those below `data`, which are ours. */
function fieldsOf(value: Document): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...(key === 'data' ? [] : fieldsOf(inner))])
}
