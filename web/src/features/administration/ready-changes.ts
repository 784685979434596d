/** Checks of “Ready for the office?” that need attention now and did not when the owner last put the card away. */
import type { CheckId } from '#shared/domain/checks.ts'
import { everyPerson } from '../../store/people/people.ts'
import { checks, localChecks } from './ready-checks.ts'
import { readyEntry } from './ready-entry.ts'

/** ms. Checks that send requests are made again on this device after so long. */
const ASKED_AGAIN = 86_400_000
/** The stream may be opening while this is asked. */
const NOT_ASKED: CheckId[] = ['live']

/** Ids of checks that need a look. */
interface Noted {
  /** When the card was put away. */
  before: readonly string[]
  /** When requests were last sent, which was at `askedAt` (ms). */
  asked: readonly string[]
  askedAt: number
}

/** Kept on this device. */
export async function noteChecks() {
  const now = await needingLook()
  keep({ before: now, asked: now, askedAt: Date.now() })
}

/**
 * True if a check has turned since `noteChecks`; what needs a look when this is first asked is noted alone. Sends no
 * requests within a day of the last ones: then people are counted by their profiles, which have to be known.
 */
export async function hasTurned(): Promise<boolean> {
  const noted = kept()
  const isDue = noted === undefined || Date.now() - noted.askedAt > ASKED_AGAIN
  const now = isDue ? await needingLook() : needingLookHere(noted.asked)
  const requests = isDue ? { asked: now, askedAt: Date.now() } : noted
  const isTurned = noted !== undefined && turned(noted.before, now)
  keep({ ...requests, before: isTurned ? noted.before : now })
  return isTurned
}

export const turned = (before: readonly string[], now: readonly string[]) =>
  now.some(id => !before.includes(id))

async function needingLook(): Promise<string[]> {
  const all = await Promise.all(checks())
  return all.filter(({ id, state }) => state === 'look' && !NOT_ASKED.includes(id)).map(({ id }) => id)
}

/** Checks that cannot be decided here keep the state of the last request. */
const needingLookHere = (asked: readonly string[]): string[] =>
  localChecks(everyPerson()).flatMap(({ id, state }) =>
    state === 'look' || (state === 'unknown' && asked.includes(id)) ? id : [],
  )

/** Words before the slash: `before`; after it: the time and `asked`. */
function kept(): Noted | undefined {
  const text = readyEntry().read()
  if (typeof text !== 'string') return undefined
  const [before = '', after = ''] = text.split('/')
  const [time, ...asked] = after.split(' ').filter(Boolean)
  return { before: before.split(' ').filter(Boolean), asked, askedAt: Number(time ?? 0) }
}

const keep = ({ before, asked, askedAt }: Noted) =>
  readyEntry().write([...before, '/', askedAt, ...asked].join(' '))
