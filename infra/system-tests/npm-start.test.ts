import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type FoundProcess, Product } from '#shared/test-kit/product.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** `npm start` on the stores of the tests: its output, failures that it survives, and its clean-up. */
describe('npm start', function () {
  this.timeout(120_000)
  let backing: TestBacking
  let data: string
  let product: Product
  /** Address of a running instance that the next test may use. */
  let url: string | undefined

  before(async () => {
    backing = await testBacking()
    data = mkdtempSync(join(tmpdir(), 'bothy-smoke-'))
    product = new Product(data, { ...backing.env, BACKUP_DIR: undefined })
  })
  after(async () => {
    await stop()
    rmSync(data, { recursive: true, force: true })
    await backing.drop()
  })
  afterEach(async function () {
    // A test that changed nothing leaves its instance to the next one.
    if (product.isRunning && (this.currentTest!.isFailed() || !url)) await stop()
  })

  async function stop() {
    url = undefined
    await product.stop()
  }

  /** The running instance, or a new one. */
  async function started(): Promise<string> {
    if (!url || !product.isRunning) url = await start()
    return url
  }

  async function start(port?: string): Promise<string> {
    url = undefined
    return product.start(port)
  }

  it('prints the link that makes the first owner while there is none, and the command makes a new one', async () => {
    const at = await started()
    const link = await product.until(
      () => /No owner yet\. Open (http:\S+\/claim\/[A-Z2-7]{16})\n/.exec(product.output)?.[1],
      'the link is printed',
    )
    const title = async (url: string) => (await fetch(at + new URL(url).pathname)).text()
    expect(await title(link)).to.include('Become the owner')
    const { url } = JSON.parse(await admin('owner-link', '--json')) as { url: string }
    expect(await title(url)).to.include('Become the owner')
    expect(await title(link), 'only the newest counts').to.include('not valid any more')
  })

  /** Prints what a command of the operator prints. */
  async function admin(...args: string[]): Promise<string> {
    const env = { ...process.env, ...backing.env, BOTHY_DATA: data }
    const child = spawn(process.execPath, [join(ROOT, 'infra/tools/admin.ts'), ...args], { env })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await once(child, 'close')
    return printed.trimEnd().split('\n').at(-1)!
  }

  it('prints its address, lets people talk, and streams what they say', async () => {
    const ada = await new Person('ada', await started()).signUp()
    await ada.send('general', 'anybody home?')
    const stream = await ada.fetch('/events?channel=general&after=0')
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('anybody home?'))
      seen += (await reader.read()).value ?? expect.fail('the stream ended')
    await reader.cancel()
  })

  it('makes the first backup in its data folder by itself, where the commands look for it', async () => {
    await started()
    const made = join(data, 'backups')
    await product.until(
      () => existsSync(made) && readdirSync(made).some(name => name.endsWith('Z')),
      'there is a backup',
      90_000,
    )
    const listed = await admin('backups', '--json')
    const { folder, items } = JSON.parse(listed) as { folder: string; items: object[] }
    expect(folder).to.equal(join(data, 'backups'))
    // An interrupted backup is made anew.
    expect(items).to.not.deep.equal([])
  })

  it('gives both processes of previews neither the database nor a secret, and only their own user in Redis', async function () {
    if (!existsSync('/proc/self/stat')) return this.skip()
    await started()
    for (const [part, url] of [
      ['cards', backing.env.PREVIEWS_REDIS_URL],
      ['pictures', backing.env.THUMBNAILS_REDIS_URL],
    ]) {
      const { pid } = product
        .processes()
        .find(({ command }) => command.includes(`services/previews/${part}/main.ts`))!
      const told = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      expect(
        told.filter(line => /DATABASE|SECRET/.test(line)),
        part,
      ).to.deep.equal([])
      expect(
        told.filter(line => line.includes('redis://')),
        part,
      ).to.deep.equal([`REDIS_URL=${url}`])
      expect(url).to.not.equal(backing.env.REDIS_URL)
    }
  })

  it('keeps the uploads from the process that connects to any address', async function () {
    if (!existsSync('/proc/self/stat')) return this.skip()
    await started()
    const { command } = product
      .processes()
      .find(one => one.command.includes('services/previews/cards/main.ts'))!
    expect(command).to.include('--permission')
    const readable = [...command.matchAll(/--allow-fs-read=(\S+)/g)].map(([, path]) => path!)
    expect(readable).to.not.deep.equal([])
    for (const path of readable) expect(data.startsWith(path), path).to.equal(false)
  })

  it('refuses a second start in the same clone', async () => {
    const url = await started()
    const second = spawn(process.execPath, [join(ROOT, 'infra/run/start.ts')], {
      env: { ...process.env, ...backing.env, BOTHY_DATA: data, PORT: '0' },
    })
    let said = ''
    second.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    expect((await once(second, 'exit'))[0]).to.equal(1)
    expect(said).to.match(/is running from this folder already/)
    expect((await fetch(`${url}/readyz`)).status).to.equal(200)
  })

  it('restarts a process that was killed, and nobody is signed out', async function () {
    if (!existsSync('/proc/self/stat')) return this.skip()
    const bob = await new Person('bob', await started()).signUp()
    const api = product.processes().find(({ command }) => command.includes('services/api/main.ts'))!
    process.kill(api.pid, 'SIGKILL')
    await product.until(() => product.output.includes('api was ended by SIGKILL'), 'the crash is told')
    await product.until(async () => (await bob.fetch('/channels')).status === 200, 'the api is back')
  })

  for (const [how, signals] of [
    ['one Ctrl-C', ['SIGINT']],
    ['Ctrl-C pressed three times', ['SIGINT', 'SIGINT', 'SIGINT']],
    ['SIGTERM', ['SIGTERM']],
    ['a closed terminal', ['SIGHUP']],
  ] as const) {
    it(`stops everything with ${how}`, async () => {
      await started()
      const before = product.processes()
      for (const signal of signals) product.child.kill(signal)
      const [code] = await once(product.child, 'exit')
      expect(code).to.equal(0)
      expect(before.filter(stillThere)).to.deep.equal([])
    })
  }

  it('stops everything when interrupted during its start', async () => {
    for (const milliseconds of [150, 300, 450, 600]) {
      const starting = start()
      starting.catch(() => {})
      await pause(milliseconds)
      const before = product.processes()
      product.child.kill('SIGINT')
      await once(product.child, 'exit')
      expect(before.filter(stillThere), `after ${milliseconds} ms`).to.deep.equal([])
    }
  })

  it('leaves nothing behind when it is killed outright', async () => {
    await started()
    const before = product.processes()
    product.child.kill('SIGKILL')
    await once(product.child, 'exit')
    await product.until(() => before.filter(stillThere).length === 0, 'its processes are gone')
  })

  it('takes the next port when its own is taken, and says so', async () => {
    const other: Server = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      await start(String(port))
      expect(product.output).to.match(
        new RegExp(`running at http://localhost:\\d+ \\(port ${port} is taken\\)`),
      )
    } finally {
      other.close()
    }
  })

  function stillThere({ pid }: FoundProcess): boolean {
    try {
      // Read again, because a process just forked still has its parent's command line. A zombie has none. The reaper
      // exits by itself.
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command !== '' && !command.includes('reaper.mjs')
    } catch {
      return false
    }
  }
})
