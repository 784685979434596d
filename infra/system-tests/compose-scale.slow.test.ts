import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type Load, load } from '#shared/test-kit/load.ts'
import { Person } from '#shared/test-kit/person.ts'
import { freePort } from '../processes/free-port.ts'
import { whyNoCompose } from './compose.fixture.ts'

const run = promisify(execFile)
const PROJECT = `bothy-scale-${process.pid}`
const PEOPLE = ['ada', 'ben', 'cleo', 'dora']
/** Milliseconds between two messages of a person: below the rate limit. */
const BETWEEN = 300
/** Established connections of a process that do not come from its own health check. */
const CONNECTIONS = `grep -hE ':1F90 [0-9A-F]+:[0-9A-F]+ 01 ' /proc/net/tcp /proc/net/tcp6 | grep -vc 0100007F`

/** `docker compose up -d` with another number of replicas in the file of variables, as the guide says, while people write. */
describe('docker-compose.yml, while people write', function () {
  this.timeout(15 * 60_000)
  let env: NodeJS.ProcessEnv
  let folder: string
  let url: string
  let people: Person[]
  let ports: string

  before(async function () {
    const reason = await whyNoCompose()
    if (reason) {
      console.log(`  (scaling is not tried: ${reason})`)
      this.skip()
    }
    folder = await mkdtemp(join(tmpdir(), 'bothy-compose-scale-'))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    ports = `PORT=${port}\nSTUN_PORT=${await freePort()}\nBOTHY_IMAGE=${PROJECT}\n`
    const variables = join(folder, 'variables')
    env = { ...process.env, COMPOSE_ENV_FILES: variables, COMPOSE_PROJECT_NAME: PROJECT }
    await replicas(1, 1)
    people = []
    for (const name of PEOPLE) people.push(await new Person(name, url).signUp())
  })

  after(async () => {
    if (env) {
      await compose('down', '--volumes', '--timeout', '5')
      await run('docker', ['image', 'rm', PROJECT], { env })
    }
    if (folder) await rm(folder, { recursive: true })
  })

  const compose = (...args: string[]) =>
    run('docker', ['compose', ...args], { cwd: ROOT, env, maxBuffer: 2 ** 26 })
  async function replicas(api: number, events: number) {
    await writeFile(join(folder, 'variables'), `${ports}API_REPLICAS=${api}\nEVENTS_REPLICAS=${events}\n`)
    await compose('up', '--detach', '--wait')
  }
  const ids = async (...services: string[]) =>
    (await compose('ps', '--quiet', '--no-trunc', ...services)).stdout.trim().split('\n').sort()
  const connectionsOf = async (service: string, index: number) =>
    Number(
      (
        await compose(...['exec', '-T', `--index=${index}`, service, 'bash', '-c', `${CONNECTIONS} || true`])
      ).stdout.trim(),
    )
  /** Ends the load. No request was refused, nothing was lost. */
  async function expectServed(loads: Load[]) {
    for (const one of loads) {
      const { lost } = await one.end()
      expect({ failed: one.failed, lost }).to.deep.equal({ failed: [], lost: 0 })
      expect(one.sent.length).to.be.greaterThan(5)
    }
  }

  it('has nothing to do after a build', async () => {
    const former = await ids()
    await compose('up', '--build', '--detach', '--wait')
    await compose('build', '--quiet')
    expect(await ids(), 'a build that changes nothing').to.deep.equal(former)
    const { stdout, stderr } = await compose('--dry-run', 'up', '--detach')
    expect(`${stdout}${stderr}`)
      .to.include('Running')
      .and.not.match(/(?:Rec|C)reat/)
    await compose('up', '--detach', '--wait')
    expect(await ids()).to.deep.equal(former)
    const { stdout: dangling } = await run(
      'docker',
      [
        ...['image', 'ls', '--quiet', '--filter', 'dangling=true'],
        '--filter',
        `label=com.docker.compose.project=${PROJECT}`,
      ],
      { env },
    )
    expect(dangling).to.equal('')
  })

  it('refuses no request when replicas are added and removed, and uses the new ones', async () => {
    const others = ['caddy', 'previews', 'previews-pictures', 'janitor', 'stun', 'postgres', 'redis']
    const former = await ids(...others)
    const loads = people.map(person => load(person, url, BETWEEN))
    try {
      await replicas(3, 2)
      for (const index of [2, 3])
        await eventually(async () => expect(await connectionsOf('api', index)).to.be.greaterThan(0))
      await pause(3_000)
      await replicas(2, 1)
      await pause(3_000)
      await replicas(1, 2)
      await pause(3_000)
      await replicas(2, 1)
      await pause(3_000)
    } finally {
      await expectServed(loads)
    }
    expect(await ids(...others)).to.deep.equal(former)
    expect(await ids('api', 'events')).to.have.length(3)
  })

  it('refuses no request while one of two replicas is stopped and started again', async () => {
    const loads = people.map(person => load(person, url, BETWEEN))
    try {
      for (const index of [1, 2]) {
        const { stdout } = await compose('ps', '--quiet', '--no-trunc', 'api')
        const id = stdout.trim().split('\n')[index - 1]!
        await run('docker', ['restart', id], { env })
        await compose('up', '--detach', '--wait')
      }
    } finally {
      await expectServed(loads)
    }
  })
})
