import { personOf } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { EVENTS_FOR_ADMINS, MOST_TRIES } from '#shared/domain/outgoing-hooks.ts'
import type { OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkOwner, ownBot } from '../hooks/bot-of-hook.ts'
import { newSignSecret } from '../hooks/secret-texts.ts'
import { lockedHook, noSuchHook } from './locked-hook.ts'
import { channelsOf, checkEvents, purposeOf } from './make-hook.ts'
import { deleteHook, hookOfDelivery, replaceSecret, tryAgain, updateHook } from './queries.ts'

/** Both secrets sign as long. */
const BOTH_SIGN: Seconds = 24 * 3_600

const FIELDS = [
  'name',
  'url',
  'format',
  'bot',
  'events',
  'channels',
  'triggers',
  'include_bots',
  'active',
] as const

export type HookChange = Partial<Pick<OutgoingHookPayload, (typeof FIELDS)[number]>>

/** All of it or nothing. `mayChangeUrl` throws where the request may not. */
export async function changeHook(
  stores: Stores,
  actor: Actor,
  id: number | undefined,
  change: HookChange,
  mayChangeUrl: () => void,
): Promise<void> {
  await inTransaction(stores.pool, async tx => {
    const { person, hook } = await lockedHook(tx, actor, id, change)
    const wanted: OutgoingHookPayload = { ...hook, ...change }
    if (change.bot !== undefined && change.bot !== hook.bot)
      wanted.bot = await ownBot(tx, actor.actor, change.bot)
    else if (change.active && !hook.active) await checkOwner(tx, hook.bot, [hook.created_by, actor.actor])
    if (change.channels)
      wanted.channels = await channelsOf({ ...stores, db: tx }, wanted.bot, change.channels)
    const fields = FIELDS.filter(field => JSON.stringify(wanted[field]) !== JSON.stringify(hook[field]))
    if (fields.includes('events') || fields.includes('format')) checkEvents(person.role, wanted)
    if (fields.includes('url')) mayChangeUrl()
    if (fields.includes('active') && wanted.active) await checkTells(tx, wanted)
    if (fields.length === 0) return
    await updateHook(tx, wanted)
    await note(tx, actor, 'hook_out.changed', wanted, { fields })
  })
}

/** 409 for a hook that the janitor would disable again at once. */
async function checkTells(tx: Db, { bot, events, created_by }: OutgoingHookPayload) {
  if ((await personOf(tx, bot))?.state !== 'active')
    throw errors.coded(
      409,
      'conflict',
      'The bot of the hook is deactivated: reactivate it, or name another one.',
    )
  if (!events.every(event => EVENTS_FOR_ADMINS.includes(event))) return
  const maker = created_by === null ? undefined : await personOf(tx, created_by)
  if (maker?.state !== 'active' || !isAdmin(maker.role))
    throw errors.coded(
      409,
      'conflict',
      'The maker of the hook is no administrator, who alone hears of its events.',
    )
}

/** The former secret signs too for a day. */
export async function renewSecret(
  stores: Stores,
  config: Config,
  actor: Actor,
  id: number | undefined,
): Promise<string> {
  const secret = newSignSecret()
  await inTransaction(stores.pool, async tx => {
    const { hook } = await lockedHook(tx, actor, id)
    const secrets = secretsUnder(config)
    const former = secrets.open(hook.secret_enc, purposeOf(hook.id, 'secret'))
    await replaceSecret(tx, hook.id, {
      secret: secrets.seal(secret, purposeOf(hook.id, 'secret')),
      old: former === null ? null : secrets.seal(former, purposeOf(hook.id, 'old_secret')),
      until: stores.clock.now() + BOTH_SIGN,
    })
    await note(tx, actor, 'hook_out.new_secret', hook)
  })
  return secret
}

export async function removeHook(stores: Stores, actor: Actor, id: number | undefined): Promise<void> {
  await inTransaction(stores.pool, async tx => {
    const { hook } = await lockedHook(tx, actor, id)
    await deleteHook(tx, hook.id)
    await note(tx, actor, 'hook_out.deleted', hook)
  })
}

export async function sendAgain(stores: Stores, actor: Actor, delivery: string): Promise<void> {
  await inTransaction(stores.pool, async tx => {
    const target = await hookOfDelivery(tx, delivery)
    if (target === undefined) throw noSuchHook()
    const { hook } = await lockedHook(tx, actor, target)
    if (!hook.active) throw errors.coded(409, 'conflict', 'The hook is disabled: enable it first.')
    await tryAgain(tx, delivery, stores.clock.now(), MOST_TRIES - 1)
  })
}

const note = (
  tx: Db,
  actor: Actor,
  action: string,
  { id, name }: { id: number; name: string },
  detail: Record<string, unknown> = {},
) => insertAuditEntry(tx, { ...actor, action, target: name, detail: { hook: id, ...detail } })
