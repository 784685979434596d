/** Checks before an office uses the server. Each asks the server or this browser; none guesses. */
import { areBackupsProven, type CheckId, isSecure, isSignUpSafe } from '#shared/domain/checks.ts'
import { isLocal, isThisMachine } from '#shared/domain/own-network.ts'
import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import { isAdmin, type Role, type SignupMode } from '#shared/domain/roles.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { accounts, backups, validInvitations } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { config, connection, host, me, workspace } from '../../store/store.ts'
import { lastProven } from './backup-state.ts'
import { answersStun } from './stun-check.ts'

export interface Check {
  id: CheckId
  state: 'ok' | 'look' | 'unknown'
  /** Selects the sentence of the state, if there are several. */
  case?: 'local' | 'invited' | 'admin' | 'first' | 'authority'
  count?: number
  at?: Seconds
  /** To copy. */
  line?: string
}

function secureCheck({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): Check {
  const { authority, address } = config.peek()
  if (isSecure(protocol))
    return authority
      ? { id: 'secure', state: 'ok', case: 'authority', line: authority }
      : { id: 'secure', state: 'ok' }
  if (isThisMachine(hostname))
    return { id: 'secure', state: 'look', case: 'local', ...(address ? { line: address } : {}) }
  const lines = [
    `SITE_ADDRESS=${hostname}`,
    // No public authority knows such a name.
    ...(isLocal(hostname) ? ['CERTIFICATE=authority'] : []),
    'COMPOSE_FILE=docker-compose.yml:infra/compose.https.yml',
  ]
  return { id: 'secure', state: 'look', line: lines.join('\n') }
}

function signUpCheck(mode: SignupMode, hostname: string): Check {
  if (!isSignUpSafe(mode, hostname)) return { id: 'signUp', state: 'look' }
  return mode === 'open' ? { id: 'signUp', state: 'ok', case: 'local' } : { id: 'signUp', state: 'ok' }
}

const signUpHere = () => signUpCheck(workspace.peek()?.signup_mode ?? 'open', host.replace(/:\d+$/, ''))

const liveCheck = (): Check =>
  connection.peek() === 'up'
    ? { id: 'live', state: 'ok' }
    : { id: 'live', state: 'look', line: 'proxy_buffering off;' }

async function callsCheck(): Promise<Check> {
  const server = config.peek().ice_servers.flatMap(({ urls }) => urls)[0]
  const answer = server === undefined ? undefined : await answersStun(server)
  if (answer === undefined) return { id: 'calls', state: 'unknown' }
  if (answer) return { id: 'calls', state: 'ok' }
  return { id: 'calls', state: 'look', line: `UDP ${server!.split(':').at(-1)}` }
}

/** Each may fail by itself. */
async function ownersCheck(): Promise<Check> {
  const countOf = async (role: Role) => (await accounts({ state: 'active', role })).items.length
  try {
    const count = (await countOf('owner')) + (await countOf('admin'))
    return { id: 'owners', state: count > 1 ? 'ok' : 'look', count }
  } catch (error) {
    tolerateFailure(error)
    return { id: 'owners', state: 'unknown' }
  }
}

async function peopleCheck(): Promise<Check> {
  try {
    const count = (await accounts({ state: 'active' })).items.length
    if (count > 1) return { id: 'people', state: 'ok', count }
    const hasLink = (await validInvitations()).items.length > 0
    return hasLink ? { id: 'people', state: 'ok', case: 'invited' } : { id: 'people', state: 'look' }
  } catch (error) {
    tolerateFailure(error)
    return { id: 'people', state: 'unknown' }
  }
}

/** Without requests: `unknown` if only the server or the network can tell. */
export function localChecks(everyone: Iterable<PersonPayload>): Check[] {
  const active = [...everyone].filter(({ active, kind }) => active && kind === 'person')
  const admins = active.filter(({ role }) => isAdmin(role)).length
  return [
    secureCheck(location),
    signUpHere(),
    lookCheck(),
    { id: 'calls', state: 'unknown' },
    { id: 'backup', state: 'unknown' },
    { id: 'owners', state: admins > 1 ? 'ok' : 'look', count: admins },
    // Alone, a link decides.
    { id: 'people', state: active.length > 1 ? 'ok' : 'unknown', count: active.length },
  ]
}

function lookCheck(): Check {
  const { name, logo } = workspace.peek() ?? { name: 'bothy', logo: null }
  return { id: 'look', state: name !== 'bothy' || logo !== null ? 'ok' : 'look' }
}

/** Only owners are told of backups. */
async function backupCheck(): Promise<Check> {
  if (me.peek()?.role !== 'owner') return { id: 'backup', state: 'unknown', case: 'admin' }
  try {
    const { items, next_at, problem } = await backups()
    const proven = lastProven(items)
    if (proven && areBackupsProven(Date.now() / 1000 - proven.verified_ts, problem))
      return { id: 'backup', state: 'ok', at: proven.verified_ts }
    if (problem === null && items.length === 0 && next_at !== null)
      return { id: 'backup', state: 'unknown', case: 'first', at: next_at }
    return { id: 'backup', state: 'look' }
  } catch (error) {
    tolerateFailure(error)
    return { id: 'backup', state: 'unknown' }
  }
}

/** The checks in their order, each when it is known. */
export function checks(): (Check | Promise<Check>)[] {
  return [
    secureCheck(location),
    liveCheck(),
    callsCheck(),
    signUpHere(),
    ownersCheck(),
    peopleCheck(),
    lookCheck(),
    backupCheck(),
  ]
}
