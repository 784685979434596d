import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { ROOT } from '#shared/runtime/config.ts'

/** Compares infra/observe/ with the code and the operator's page; promtool has checked the syntax. */
describe('the files of infra/observe', () => {
  const FOLDER = join(ROOT, 'infra/observe')
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const alerts = read('infra/observe/alerts.yml')
  const dashboards = readdirSync(join(FOLDER, 'dashboards')).map(name =>
    read(`infra/observe/dashboards/${name}`),
  )
  const defined = globSync('{shared,services}/**/*.ts', { cwd: ROOT })
    .filter(path => !path.includes('.test.'))
    .flatMap(path => [...read(path).matchAll(/name: '(bothy_\w+)'/g)].map(([, name]) => name!))

  it('use metrics that the code defines, and show every one of them', () => {
    const used = new Set(
      [alerts, ...dashboards].flatMap(text =>
        [...text.matchAll(/\bbothy_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
      ),
    )
    expect([...used]).to.have.members(defined.filter(name => name !== 'bothy_build_info'))
  })

  it('have a line in the runbook for each of the fifteen alerts', () => {
    const { rules } = parse(alerts).groups[0] as {
      rules: { alert: string; annotations: { runbook: string } }[]
    }
    expect(rules.length).to.equal(15)
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).to.equal(`docs/operations.md#${alert.toLowerCase()}`)
      expect(read('docs/operations.md')).to.match(
        new RegExp(`<a id="${alert.toLowerCase()}"></a>\`${alert}\` \\|`),
      )
    }
  })

  it('give every process a port for metrics and a place in the network of Prometheus', () => {
    const own = parse(read('infra/observe/compose.observe.yml'), { merge: true })
    const compose = parse(read('docker-compose.yml'), { merge: true })
    const processes = Object.keys(compose.services).filter(
      name =>
        compose.services[name].image.includes('BOTHY_IMAGE') &&
        !['setup', 'database', 'admin'].includes(name),
    )
    for (const name of processes) {
      expect(own.services[name].environment.METRICS_PORT, name).to.equal(9090)
      expect(own.services[name].networks, name).to.deep.equal(['metrics'])
    }
    const [job] = parse(read('infra/observe/prometheus.yml')).scrape_configs
    expect(job.dns_sd_configs[0].names).to.have.members(processes)
    for (const name of ['prometheus', 'grafana'])
      expect(own.services[name].cap_drop, name).to.deep.equal(['ALL'])
  })
})
