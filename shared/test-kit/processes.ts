import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '#shared/runtime/config.ts'
import type { Listening } from '#shared/runtime/lifecycle.ts'
import {
  environmentOf,
  nodeArgsOf,
  programOf,
  startChild,
  stopChild,
} from '../../infra/processes/children.ts'
import { freePort } from '../../infra/processes/free-port.ts'
import { type FrontDoor, openFrontDoor } from '../../infra/run/front-door.ts'
import { noteWrongAnswer, type WrongAnswer } from './checked-answers.ts'

export { freePort }

/** A service in a separate process, as in production. Ends with the test run at the latest. */
export interface RunningService {
  name: string
  url: string
  pid: number
  /** Kills the process, by default like a crash; resolves after its end. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops the process as an operator does; returns its exit code. */
  stop(): Promise<number | null>
  /** Resolves when the process has ended. */
  gone: Promise<unknown>
  /** Output so far. */
  output(): string
}

/** Joined here, so that a change of a service does not concern each test of this kit (`--changed`). */
const CHECKS: Record<string, string> = {
  api: join(ROOT, 'services/api', 'checked-answers.fixture.ts'),
  events: join(ROOT, 'services/events', 'checked-frames.fixture.ts'),
}

/** ms. After a kill, a process waits twelve seconds for those that may have lost only the database. */
const READY_WITHIN = 45_000

/**
 * Starts the program of a service and waits until it is ready. It takes a free port itself and tells it: of two processes
 * given the same one, the other would answer in its place. `checked`: compares its responses or frames with the document, which
 * a bench must not measure.
 */
export async function startService(
  name: string,
  env: object = {},
  { checked = true } = {},
): Promise<RunningService> {
  let port = 0
  const childEnv = { ...process.env, LISTEN_HOST: '127.0.0.1', ...env, PORT: '0' }
  const script = join(ROOT, programOf(name))
  const checks = checked && CHECKS[name] ? ['--import', CHECKS[name]] : []
  const child = startChild(process.execPath, [...nodeArgsOf(name, childEnv), ...checks, script], {
    cwd: ROOT,
    env: environmentOf(name, childEnv),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.on('message', (message: Partial<Listening & WrongAnswer>) => {
    if (message.wanted === 0) port = message.listening!
    if (message.wrongAnswer) noteWrongAnswer(message.wrongAnswer)
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const gone = once(child, 'exit')
  const service: RunningService = {
    name,
    get url() {
      return `http://127.0.0.1:${port}`
    },
    pid: child.pid!,
    async kill(signal = 'SIGKILL') {
      child.kill(signal)
      await gone
    },
    async stop() {
      await stopChild(child)
      await gone
      return child.exitCode
    },
    gone,
    output: () => output,
  }
  try {
    await becomesReady(service, {
      listens: () => port !== 0,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    })
  } catch (err) {
    await service.stop()
    throw err
  }
  return service
}

/** Starts the product's front door before several processes of each kind. */
export async function startFrontDoor(
  api: RunningService[],
  events: RunningService[] = [],
): Promise<FrontDoor> {
  const urls = (services: RunningService[]) => () => services.map(service => service.url)
  return openFrontDoor({ api: urls(api), events: urls(events), host: '127.0.0.1' })
}

async function becomesReady(service: RunningService, its: Record<'listens' | 'hasEnded', () => boolean>) {
  const { name, output } = service
  for (const end = Date.now() + READY_WITHIN; Date.now() < end; await pause(30)) {
    if (its.hasEnded()) throw new Error(`${name} ended at its start:\n${output()}`)
    if (!its.listens()) continue
    try {
      const response = await fetch(`${service.url}/readyz?stores`)
      await response.body?.cancel()
      if (response.ok) return
    } catch {
      // Not listening yet.
    }
  }
  throw new Error(`${name} was not ready within ${READY_WITHIN / 1000} s:\n${output()}`)
}
