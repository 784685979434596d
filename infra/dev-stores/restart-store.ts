import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'

export interface Store {
  url: string
  stop(): Promise<void>
}

/** A store that runs as a child of this process. */
export interface Served extends Store {
  pid: number
  kill(): Promise<void>
  /** Resolves with how the process ended. */
  ended: Promise<string>
}

export interface Restarts {
  /** The name on the screen. */
  name: string
  /** Starts the store; later starts use the address of the first. */
  start(): Promise<Served>
  say(line: string): void
  /** Pause before the first restart; doubles up to LONGEST_PAUSE until the store has run for a minute. */
  firstPause?: Milliseconds
}

const FIRST_PAUSE: Milliseconds = 500
const LONGEST_PAUSE: Milliseconds = 30_000
const HOLDS_AFTER: Milliseconds = 60_000

/** Starts a store and restarts it whenever its process ends by itself, until `stop`. Rejects when the first start fails. */
export async function restartWhenEnded({
  name,
  start,
  say,
  firstPause = FIRST_PAUSE,
}: Restarts): Promise<Store> {
  let current = await start()
  const stopping = new AbortController()
  const kept = keep()
  return {
    url: current.url,
    async stop() {
      stopping.abort()
      await kept
      await current.stop()
    },
  }

  async function keep() {
    const stopped = new Promise<undefined>(resolve => {
      stopping.signal.addEventListener('abort', () => resolve(undefined))
    })
    for (let wait = firstPause; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      const began = performance.now()
      const ending = await Promise.race([current.ended, stopped])
      if (ending === undefined) return
      if (performance.now() - began > HOLDS_AFTER) wait = firstPause
      say(`${name} ${ending}; starting it again in ${wait / 1000} s`)
      await restart(wait)
      if (stopping.signal.aborted) return
      say(`${name} runs again`)
    }
  }

  async function restart(firstWait: Milliseconds) {
    for (let wait = firstWait; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        current = await start()
        return
      } catch (err) {
        say(`${name} did not start (${(err as Error).message.split('\n', 1)[0]})`)
      }
    }
  }
}

/** How a child process ended, in words for the screen. */
export const endingOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal ? `was ended by ${signal}` : `ended with ${code}`
