import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { SETTINGS_NOT_USABLE } from '#shared/runtime/settings.ts'
import { UNKNOWN_VARIABLES } from '#shared/runtime/variable-names.ts'
import { programOf, startChild, stopChild } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { LogFile } from './log-file.ts'

/** Pauses before the restart of a crashed child, ms: doubled each time, until it has run for a minute. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
const HOLDS_AFTER = 60_000
/** Time for the last lines of an ended child, ms. */
const LAST_LINES = 300

export interface ServiceWish {
  name: string
  /** The folder of its release. */
  root: string
  env: NodeJS.ProcessEnv
  logs: string
  say: (line: string) => void
  /** Node's arguments before the script. */
  nodeArgs?: string[]
  hasMetrics?: boolean
}

/** A service in a process of its own, restarted when it crashes, until it is stopped. */
export class Service {
  readonly name: string
  /** How it ended last; undefined while it has not. */
  ending: string | undefined
  /** Its last warning or error, in short. */
  alarm: string | undefined
  readonly #wish: ServiceWish
  readonly #log: LogFile
  #child: ChildProcess | undefined
  #port = 0
  #metricsPort: number | undefined
  #stopping = new AbortController()
  #running: Promise<void>

  constructor(wish: ServiceWish) {
    this.name = wish.name
    this.#wish = wish
    this.#log = new LogFile(join(wish.logs, `${wish.name}.log`), {
      say: sentence => wish.say(`${wish.name} ${sentence} (log: ${this.#log.path})`),
    })
    this.#running = this.#keepRunning()
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`
  }

  get pid() {
    return this.#child?.pid
  }

  get logPath() {
    return this.#log.path
  }

  /** Where its process serves metrics; undefined while none runs. */
  get metricsPort(): number | undefined {
    return this.#child && this.#metricsPort
  }

  async isReady(): Promise<boolean> {
    if (!this.#child || this.#port === 0) return false
    try {
      const response = await fetch(`${this.url}/readyz?stores`, { signal: AbortSignal.timeout(3_000) })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#child) await stopChild(this.#child)
    await this.#running
    await this.#log.end()
  }

  async #keepRunning() {
    let wait = FIRST_PAUSE
    while (!this.#stopping.signal.aborted) {
      const began = Date.now()
      const ending = await this.#runOnce()
      if (this.#stopping.signal.aborted) return
      this.ending = ending
      if (Date.now() - began > HOLDS_AFTER) wait = FIRST_PAUSE
      this.#wish.say(`${this.name} ${ending}; starting it again in ${wait / 1000} s (log: ${this.#log.path})`)
      await setTimeout(wait, undefined, { signal: this.#stopping.signal }).catch(() => {})
      wait = Math.min(2 * wait, LONGEST_PAUSE)
    }
  }

  async #runOnce(): Promise<string> {
    // Should another program take the port meanwhile, the child ends and is started again with another one.
    const port = await freePort()
    if (this.#stopping.signal.aborted) return 'was not started'
    const { name, root, env, nodeArgs = [], hasMetrics = false } = this.#wish
    this.#metricsPort = hasMetrics ? await freePort() : undefined
    const metrics = hasMetrics ? { METRICS_PORT: String(this.#metricsPort) } : {}
    const script = join(root, programOf(name))
    const child = startChild(process.execPath, [...nodeArgs, script], {
      cwd: root,
      env: { ...env, ...metrics, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#port = port
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', line => this.#note(line))
    }
    // Its last lines tell the cause; a process of its own may keep the pipes open.
    const closed = once(child, 'close').catch(() => {})
    const [code, signal] = await once(child, 'exit').catch(err => [(err as Error).message])
    await Promise.race([closed, setTimeout(LAST_LINES, undefined, { ref: false })])
    this.#child = undefined
    return signal ? `was ended by ${signal}` : `ended with ${code}`
  }

  /** Writes every line to the log file, and a short form of warnings to the screen. */
  #note(line: string) {
    this.#log.write(line)
    if (this.#stopping.signal.aborted) return
    for (const alarm of alarmsIn(line, this.name)) {
      this.alarm = alarm
      this.#wish.say(alarm)
    }
  }
}

/**
 * The short form of a log line of level `warn` or above: a line for each mistake of the operator. Lines that are not JSON
 * come from Node itself.
 */
export function alarmsIn(line: string, service: string): string[] {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(line)
  } catch {
    return /^\w*Error\b/.test(line) ? [`${service}: ${line}`] : []
  }
  if (!['warn', 'error', 'fatal'].includes(String(entry.level))) return []
  const list = [entry.faults, entry.warnings].find(each => Array.isArray(each)) as string[] | undefined
  // Each process reads the same file and variables: one of them tells.
  if (entry.msg === SETTINGS_NOT_USABLE || entry.msg === UNKNOWN_VARIABLES)
    return service === TELLS ? (list ?? []) : []
  if (list) return list.map(fault => `${service}: ${fault}`)
  const { message } = (entry.err ?? {}) as { message?: string }
  const reason = [entry.reason, message?.split('\n', 1)[0]].find(text => typeof text === 'string')
  const next = typeof entry.next === 'string' ? ` ${entry.next}` : ''
  return [`${service}: ${entry.level}: ${entry.msg}${reason ? ` (${reason})` : ''}${next}`]
}

const TELLS = 'api'
