import type { Fault } from '#shared/runtime/variables.ts'
import { reasonOf } from '#shared/runtime/variables.ts'

/** The state of a part of the installation. */
export interface Finding {
  part: string
  /** `warning`: bothy runs, but a loss or an outage comes nearer. */
  state: 'good' | 'warning' | 'fault' | 'skipped'
  found: string
  /** The next step; warnings and faults have one. */
  next?: string
}

export const good = (part: string, found: string): Finding => ({ part, state: 'good', found })
export const warning = (part: string, found: string, next: string): Finding => ({
  part,
  state: 'warning',
  found,
  next,
})
export const fault = (part: string, found: string, next: string): Finding => ({
  part,
  state: 'fault',
  found,
  next,
})
export const skipped = (part: string, found: string): Finding => ({ part, state: 'skipped', found })

/** A mistake in the configuration as a finding. */
export const ofFault =
  (part: string, state: 'warning' | 'fault' = 'fault') =>
  ({ found, next }: Fault): Finding => ({ part, state, found, next })

/** An examination that breaks off is a fault, and the others go on. */
export async function guarded(
  part: string,
  work: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (err) {
    const next = 'Mend what it names; else send this line to the maintainers.'
    return [fault(part, `cannot be examined: ${whyNot(err)}`, next)]
  }
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'no way leads to this host',
  ENETUNREACH: 'no way leads to this network',
  ETIMEDOUT: 'no answer',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name server does not answer',
  EACCES: 'this account may not',
  EPERM: 'this account may not',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is no folder',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
}

/** Words of the drivers of PostgreSQL and Redis. */
const TIME_IS_UP =
  /^(timeout expired|timeout exceeded when trying to connect|Command timed out|Query read timeout)\b/

/** Why a connection or a file cannot be used, in words where the code has some. */
export function whyNot(err: unknown): string {
  const { code = '', cause, errors } = err as { code?: string; cause?: unknown; errors?: unknown[] }
  const words = WORDS[code]
  if (words !== undefined) return `${words} (${code})`
  // Errors of fetch, and of a name with several addresses.
  const inner = cause ?? errors?.[0]
  if (inner !== undefined) return whyNot(inner)
  const reason = reasonOf(err)
  return TIME_IS_UP.test(reason) ? 'no answer in time' : reason
}
