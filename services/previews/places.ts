import type { Milliseconds } from '#shared/rules/units.ts'

/** For whom a place is taken. Nobody is known of what older versions asked for. */
export interface Claim {
  host: string
  asker: string | undefined
}

/** How it went: the work was done, its turn did not come in time, or the process ends and it is for another one. */
export type Turn = 'done' | 'late' | 'closing'

export interface Places {
  take(claim: Claim, work: () => Promise<void>): Promise<Turn>
  /** Whoever waits is sent away; what is being worked on goes on. */
  close(): void
}

export interface PlaceLimits {
  /** At once. */
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
 * The places at which work goes on, shared among hosts and askers: whoever has all of theirs waits beside the others and not
 * before them. A site that says nothing holds each of its places until time is up; a few people who point at it, or one who points
 * at many such sites, leave places for the links of everybody else.
 */
export function openPlaces({ inAll, ofOneHost, ofOneAsker, waitsFor }: PlaceLimits): Places {
  const working = new Set<Claim>()
  const waiting = new Set<Waiting>()
  let isClosing = false

  const count = (is: (claim: Claim) => boolean) => [...working].filter(is).length
  const isPlaceFor = ({ host, asker }: Claim) =>
    working.size < inAll &&
    count(other => other.host === host) < ofOneHost &&
    (asker === undefined || count(other => other.asker === asker) < ofOneAsker)

  /** In the order in which they came, but for those whose host or asker has all of theirs. */
  function letIn() {
    for (const one of waiting) {
      if (!isPlaceFor(one.claim)) continue
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
      letIn()
    })
  }

  return {
    async take(claim, work) {
      // Of its own, so that two of the same are two.
      const mine = { ...claim }
      const turn = await wait(mine)
      if (turn !== 'turn') return turn
      try {
        await work()
        return 'done'
      } finally {
        working.delete(mine)
        letIn()
      }
    },
    close() {
      isClosing = true
      for (const one of waiting) one.leave('closing')
    },
  }
}
