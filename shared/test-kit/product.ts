import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '#shared/runtime/config.ts'

export interface FoundProcess {
  pid: number
  command: string
}

const WAITS = 25_000
/** Allows for a download of Redis. */
const STARTS_WITHIN = 90_000

/** `npm start` or `npm run dev` as a child process, with the test's data folder and environment. */
export class Product {
  readonly #data: string
  readonly #env: NodeJS.ProcessEnv
  readonly #verb: string
  #child: ChildProcess | undefined
  /** Output since the last start. */
  output = ''

  constructor(data: string, env: NodeJS.ProcessEnv = {}, verb: 'start' | 'dev' = 'start') {
    this.#data = data
    this.#env = env
    this.#verb = verb
  }

  get child(): ChildProcess {
    if (!this.#child) throw new Error('not started')
    return this.#child
  }

  get isRunning(): boolean {
    const child = this.#child
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** Returns the printed URL; port 0 takes a free port. */
  async start(port = '0'): Promise<string> {
    this.output = ''
    const env = {
      ...ownEnvironment(),
      // No backup at its first start, unless a test wants one.
      BACKUP_DIR: '',
      ...this.#env,
      BOTHY_DATA: this.#data,
      LISTEN_HOST: '127.0.0.1',
      PORT: port,
    }
    const child = spawn(process.execPath, [join(ROOT, 'infra/run/bootstrap.mjs'), this.#verb], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
    const printed = await this.until(
      () => {
        const found = /running at (http:\S+)/.exec(this.output)?.[1]
        if (!found && !this.isRunning) throw new Error(`ended at its start\n${this.output}`)
        return found
      },
      'the address is printed',
      STARTS_WITHIN,
    )
    return printed.replace('localhost', '127.0.0.1')
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return
    this.child.kill('SIGTERM')
    await once(this.child, 'exit')
  }

  /** All descendants of the process; none on systems without /proc. */
  processes(): FoundProcess[] {
    if (!existsSync('/proc/self/stat')) return []
    const all = readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => {
        try {
          const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
          const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
          return [{ pid: Number(name), parent, command }]
        } catch {
          return []
        }
      })
    const found = new Set([this.child.pid!])
    for (let size = 0; size < found.size; ) {
      size = found.size
      for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
    }
    found.delete(this.child.pid!)
    return all.filter(({ pid }) => found.has(pid)).map(({ pid, command }) => ({ pid, command }))
  }

  async until<T>(look: () => T | Promise<T>, what: string, within = WAITS): Promise<NonNullable<T>> {
    for (const end = Date.now() + within; Date.now() < end; await pause(50)) {
      const found = await look()
      if (found) return found as NonNullable<T>
    }
    throw new Error(`timed out: ${what}\n${this.output}`)
  }
}

/** The environment without the variables by which `npm test` passes its stores. */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEST_')))
