import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '#shared/kernel/config.ts'
import { Person } from '#shared/test-kit/person.ts'
import { engineAnswers } from './local/containers.ts'
import { freePort } from './local/ground.ts'

/** docker-compose.yml as an operator meets it: nothing edited, nothing prepared. */

const run = promisify(execFile)
const IMAGES = ['node:24-bookworm-slim', 'postgres:17', 'redis:7', 'caddy:2']
const PROJECT = `bothy-test-${process.pid}`
/** The first build installs the dependencies twice and builds the client. */
const BUILD_WITHIN = 10 * 60_000

describe('docker-compose.yml', function () {
  this.timeout(60_000)
  let env: NodeJS.ProcessEnv
  let url: string

  before(async function () {
    this.timeout(BUILD_WITHIN)
    const reason = await whyNot()
    if (reason) {
      console.log(`  (docker-compose.yml is not tried: ${reason})`)
      this.skip()
    }
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    env = {
      ...process.env,
      PORT: String(port),
      STUN_PORT: String(await freePort()),
      COMPOSE_PROJECT_NAME: PROJECT,
    }
    await compose('build', '--quiet')
    await up()
  })

  after(async function () {
    this.timeout(BUILD_WITHIN)
    if (env) await compose('down', '--volumes', '--timeout', '5')
  })

  const compose = (...args: string[]) =>
    run('docker', ['compose', ...args], { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 })
  const up = () =>
    compose('up', '--detach', '--wait', '--scale', 'api=2', '--scale', 'events=2').catch(async () => {
      const { stdout } = await compose('logs', '--no-color', '--tail', '15')
      throw new Error(`docker compose up failed:\n${stdout}`)
    })
  const statuses = async (count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => fetch(`${url}/version`)))
    return [...new Set(all.map(response => response.status))]
  }

  it('comes up with two api processes and two gateways behind one door', async () => {
    expect(await statuses(20)).to.deep.equal([200])
    const { stdout } = await compose('ps', '--format', '{{.Service}}')
    const running = stdout.trim().split('\n').sort()
    const wanted = 'api api caddy events events janitor postgres previews redis stun'
    expect(running.join(' ')).to.equal(wanted)
  })

  it('lets somebody in, carries an image-less message and streams at once', async () => {
    const ada = await new Person('ada', url).signUp()
    await ada.send('general', 'from one container to another')
    const stream = await ada.fetch('/events?channel=general&after=0')
    expect(stream.headers.get('content-type')).to.match(/^text\/event-stream/)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('from one container to another')) {
      const { value, done } = await reader.read()
      expect(done, `the stream ended after: ${seen}`).to.equal(false)
      seen += value
    }
    await reader.cancel()
  })

  it('runs nothing of ours as root, and gives the previews worker no secret', async () => {
    const { stdout: user } = await compose('exec', '-T', 'api', 'id', '-u')
    expect(user.trim()).to.not.equal('0')
    const { stdout: secrets } = await compose('exec', '-T', 'previews', 'ls', '/secrets')
    expect(secrets.trim()).to.equal('')
    const { stdout: variables } = await compose('exec', '-T', 'previews', 'env')
    expect(variables).to.not.match(/DATABASE|SECRET/)
  })

  it('goes on answering while one api process and one gateway are killed', async () => {
    await killByName('api-2')
    await killByName('events-2')
    for (let i = 0; i < 10; i++) expect(await statuses(4)).to.deep.equal([200])
    const bob = await new Person('bob', url).signUp()
    for (let i = 0; i < 10; i++) await bob.send('general', `still here ${i}`)
  })

  it('keeps accounts, sessions and messages when it is taken down and up again', async function () {
    this.timeout(180_000)
    const cleo = await new Person('cleo', url).signUp()
    await cleo.send('general', 'see you tomorrow')
    await compose('down', '--timeout', '5')
    await up()
    const texts = (await cleo.messages('general')).map(message => message.content)
    expect(texts).to.include('see you tomorrow')
  })

  const killByName = (name: string) => run('docker', ['kill', '--signal', 'KILL', `${PROJECT}-${name}`])
})

/** What is missing for this test, as a sentence; nothing if nothing is. */
async function whyNot(): Promise<string | undefined> {
  if (!(await engineAnswers())) return 'no container engine answers'
  const works = (...args: string[]) =>
    run('docker', args).then(
      () => true,
      () => false,
    )
  if (!(await works('compose', 'version'))) return 'the engine has no “docker compose”'
  for (const image of IMAGES) {
    if (!(await works('image', 'inspect', image)) && !(await works('pull', '--quiet', image))) {
      return `the image ${image} cannot be had`
    }
  }
  return undefined
}
