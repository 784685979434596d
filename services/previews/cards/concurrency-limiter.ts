import type { Milliseconds } from '#shared/domain/units.ts'

/** Host and asker of a link. Jobs of older versions have no asker. */
export interface Claim {
  host: string
  asker: string | undefined
}

/** Outcome: the work ran, it was not admitted in time, or the process is stopping and another one must do it. */
export type Outcome = 'done' | 'late' | 'closing'

export interface ConcurrencyLimiter {
  run(claim: Claim, work: () => Promise<void>): Promise<Outcome>
  /** Dismisses waiting claims; running work continues. */
  close(): void
}

export interface ConcurrencyLimits {
  inAll: number
  ofOneHost: number
  ofOneAsker: number
  waitsFor: Milliseconds
}

interface Waiting {
  claim: Claim
  leave(turn: 'turn' | 'late' | 'closing'): void
}

/**
 * A concurrency limiter with limits per host and per asker: a claim that exceeds one waits without blocking others. A
 * silent site holds its share of the limits until the time-out, so neither several users linking to it nor one user linking to many
 * such sites blocks all others.
 */
export function concurrencyLimiter({
  inAll,
  ofOneHost,
  ofOneAsker,
  waitsFor,
}: ConcurrencyLimits): ConcurrencyLimiter {
  const working = new Set<Claim>()
  const waiting = new Set<Waiting>()
  let isClosing = false

  const count = (is: (claim: Claim) => boolean) => [...working].filter(is).length
  const hasRoomFor = ({ host, asker }: Claim) =>
    working.size < inAll &&
    count(other => other.host === host) < ofOneHost &&
    (asker === undefined || count(other => other.asker === asker) < ofOneAsker)

  /** Admits waiting claims in order of arrival, skipping those over the limit of their host or asker. */
  function admit() {
    for (const one of waiting) {
      if (!hasRoomFor(one.claim)) continue
      working.add(one.claim)
      one.leave('turn')
    }
  }

  async function wait(claim: Claim): Promise<'turn' | 'late' | 'closing'> {
    if (isClosing) return 'closing'
    return new Promise(resolve => {
      const timer = setTimeout(() => one.leave('late'), waitsFor)
      const one: Waiting = {
        claim,
        leave(turn) {
          clearTimeout(timer)
          waiting.delete(one)
          resolve(turn)
        },
      }
      waiting.add(one)
      admit()
    })
  }

  return {
    async run(claim, work) {
      // A copy, because the set compares identity: equal claims count separately.
      const mine = { ...claim }
      const turn = await wait(mine)
      if (turn !== 'turn') return turn
      try {
        await work()
        return 'done'
      } finally {
        working.delete(mine)
        admit()
      }
    },
    close() {
      isClosing = true
      for (const one of waiting) one.leave('closing')
    },
  }
}
