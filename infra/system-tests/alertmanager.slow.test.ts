import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { hasApt } from '../dev-stores/debian.ts'

const TEMPLATES = '/usr/share/prometheus/alertmanager'

/** Debian's program, unpacked. Throws where it cannot be downloaded, or its templates not be put in their place. */
function unpack(folder: string): string {
  execFileSync('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', 'prometheus-alertmanager'], {
    cwd: folder,
    stdio: 'pipe',
  })
  const [file] = globSync('prometheus-alertmanager_*.deb', { cwd: folder })
  execFileSync('dpkg-deb', ['-x', file!, 'unpacked'], { cwd: folder })
  // The only place where it looks for its templates.
  if (!existsSync(TEMPLATES)) cpSync(join(folder, 'unpacked', TEMPLATES), TEMPLATES, { recursive: true })
  return join(folder, 'unpacked/usr/bin/prometheus-alertmanager')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

describe('A3: Alertmanager of Debian', function () {
  this.timeout(180_000)
  let world: World
  let folder: string
  let program: string
  before(async function () {
    if (!hasApt()) this.skip()
    folder = mkdtempSync(join(tmpdir(), 'alertmanager-'))
    try {
      program = unpack(folder)
    } catch (err) {
      console.log(`Alertmanager cannot be used: ${(err as Error).message.split('\n', 1)[0]}`)
      this.skip()
    }
    world = await newWorld()
  })
  after(async () => {
    if (folder) rmSync(folder, { recursive: true })
    await world?.end()
  })

  async function withAlertmanager(configuration: string, work: (at: string) => Promise<void>) {
    const file = join(folder, 'alertmanager.yml')
    writeFileSync(file, configuration)
    const at = `127.0.0.1:${await freePort()}`
    const args = [
      `--config.file=${file}`,
      `--storage.path=${mkdtempSync(join(folder, 'data-'))}`,
      '--cluster.listen-address=',
    ]
    const running: ChildProcess = spawn(program, [...args, `--web.listen-address=${at}`], { stdio: 'ignore' })
    try {
      await eventually(async () => expect((await fetch(`http://${at}/-/ready`)).status).to.equal(200), 30_000)
      await work(`http://${at}`)
    } finally {
      running.kill('SIGKILL')
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit')
    }
  }

  /** The alert of the recipe, which ends now if `isOver`. */
  const tell = (at: string, isOver = false) => {
    const command = recipe('alertmanager-alert')
    const ending = `"endsAt": "${new Date().toISOString()}", "annotations"`
    const env = { PATH: process.env['PATH'], ALERTMANAGER: at }
    execFileSync('sh', ['-c', isOver ? command.replace('"annotations"', ending) : command], { env })
  }

  async function makeHook(name: string): Promise<string> {
    const made = await world.ada.postJson('/hooks_in', { name, channel: 'general' })
    const { url } = (await made.json()) as { url: string }
    return world.api[0]!.url + new URL(url).pathname
  }
  const sent = async (bot: string) =>
    (await world.bob.messages('general')).filter(({ sender }) => sender === bot)

  /** The message of the alert, and that of its end. */
  async function fired(name: string, bot: string) {
    const url = await makeHook(bot)
    const configuration = recipe(name)
      .replace(/https:\/\/\S+\/hooks\/[^'"\s]+/, url)
      .replace(/group_wait: \S+/, 'group_wait: 0s')
      .replace(/group_interval: \S+/, 'group_interval: 1s')
    await withAlertmanager(configuration, async at => {
      tell(at)
      await eventually(async () => expect(await sent(`${bot}-hook`)).to.have.length(1), 60_000)
      tell(at, true)
      await eventually(async () => expect(await sent(`${bot}-hook`)).to.have.length(2), 60_000)
    })
    const [firing, resolved] = await sent(`${bot}-hook`)
    expect(firing!.content).to.include('The disk of db1 is full.')
    return [firing!, resolved!] as const
  }

  it('fires and resolves into a channel by slack_configs', async () => {
    const [firing, resolved] = await fired('alertmanager-slack', 'slack')
    expect(firing.content).to.include('FIRING')
    expect(resolved.content).to.include('RESOLVED')
  })

  it('fires and resolves into a channel by webhook_configs, the end as a reply', async () => {
    const [firing, resolved] = await fired('alertmanager-webhook', 'form')
    expect(resolved.reply_to_id).to.equal(firing.id)
  })
})
