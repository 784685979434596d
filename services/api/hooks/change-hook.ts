import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Config } from '#shared/runtime/config.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { enterChannel } from './bot-of-hook.ts'
import { forgetCalls } from './calls.ts'
import { channelForHook, checkMayMake } from './hook-channel.ts'
import { checkMayUseRights, type LockedHook, lockedHook } from './locked-hook.ts'
import { addressOfHook, announce, type Changed, onlyAdmins } from './make-hook.ts'
import { deleteHook, type HookRow, setSignSecret, setTokenHash, updateHook } from './queries.ts'
import { hashOfHookToken, newHookToken, newSignSecret, purposeOfSignSecret } from './secret-texts.ts'

export interface HookChange {
  name?: string | undefined
  channel?: string | undefined
  template?: string | null | undefined
  may_choose_channel?: boolean | undefined
  may_mention_everyone?: boolean | undefined
  disabled?: boolean | undefined
  /** Null: the hook takes bodies without a signature. */
  sign_secret?: null | undefined
}

const FIELDS = [
  'name',
  'channel',
  'template',
  'may_choose_channel',
  'may_mention_everyone',
  'disabled',
] as const

/** All of it or nothing. */
export async function changeHook(
  stores: Stores,
  actor: Actor,
  idText: string,
  change: HookChange,
): Promise<void> {
  const changed = await inTransaction(stores.pool, async tx => {
    const locked = await lockedHook(stores, tx, actor, idText, change.channel)
    const { hook, actor: person } = locked
    const moved = await moveHook(stores, tx, locked, change.channel)
    const wanted: HookRow = { ...hook }
    for (const field of FIELDS)
      if (change[field] !== undefined) Object.assign(wanted, { [field]: change[field] })
    if (moved) wanted.channel = moved.channel.id
    else wanted.channel = hook.channel
    const fields: string[] = FIELDS.filter(field => wanted[field] !== hook[field])
    const isOfAdmins = fields.some(field => field.startsWith('may_'))
    if (isOfAdmins && !isAdmin(person.role)) throw onlyAdmins()
    if (change.sign_secret === null || fields.some(field => field !== 'disabled')) checkMayUseRights(locked)
    if (fields.length > 0) await updateHook(tx, wanted, stores.clock.now())
    if (change.sign_secret === null && hook.signed) {
      await setSignSecret(tx, hook.id, null)
      fields.push('sign_secret')
    }
    if (fields.length > 0) {
      const values = Object.fromEntries(
        (['disabled', 'may_choose_channel', 'may_mention_everyone'] as const)
          .filter(field => fields.includes(field))
          .map(field => [field, wanted[field]]),
      )
      await note(tx, actor, 'hook.changed', wanted, { fields, ...values })
    }
    return moved
  })
  if (changed) await announce(stores, changed)
}

/** Into another channel, where the person must be able to make a hook; its bot comes along. */
async function moveHook(
  stores: Stores,
  tx: Db,
  { actor, hook }: LockedHook,
  to: string | undefined,
): Promise<Changed | undefined> {
  if (to === undefined || to === hook.channel) return undefined
  checkMayMake(stores, actor)
  const channel = await channelForHook(stores, tx, actor.username, to)
  const isNewMember = await enterChannel(stores, tx, actor.username, hook.bot, channel)
  return { channel, isNewBot: false, isNewMember }
}

/** The former address ends at once. */
export async function renewAddress(
  stores: Stores,
  address: string,
  actor: Actor,
  idText: string,
): Promise<string> {
  const token = newHookToken()
  await inTransaction(stores.pool, async tx => {
    const locked = await lockedHook(stores, tx, actor, idText)
    const { hook } = locked
    checkMayUseRights(locked)
    await setTokenHash(tx, hook.id, hashOfHookToken(token))
    await note(tx, actor, 'hook.new_token', hook)
  })
  return addressOfHook(address, token)
}

/** From now on the hook takes bodies alone that are signed with this secret: the given one, or a new one. */
export async function makeSignSecret(
  stores: Stores,
  config: Config,
  actor: Actor,
  idText: string,
  given: string | undefined,
): Promise<string> {
  const secret = given ?? newSignSecret()
  await inTransaction(stores.pool, async tx => {
    const locked = await lockedHook(stores, tx, actor, idText)
    const { hook } = locked
    checkMayUseRights(locked)
    await setSignSecret(tx, hook.id, secretsUnder(config).seal(secret, purposeOfSignSecret(hook.id)))
    await note(tx, actor, 'hook.sign_secret', hook)
  })
  return secret
}

/** Its bot and its messages stay. */
export async function removeHook(stores: Stores, actor: Actor, idText: string): Promise<void> {
  const removed = await inTransaction(stores.pool, async tx => {
    const { hook } = await lockedHook(stores, tx, actor, idText)
    await deleteHook(tx, hook.id)
    await note(tx, actor, 'hook.deleted', hook)
    return hook.id
  })
  await forgetCalls(stores, removed)
}

const note = (tx: Db, actor: Actor, action: string, hook: HookRow, detail: Record<string, unknown> = {}) =>
  insertAuditEntry(tx, {
    ...actor,
    action,
    target: hook.name,
    channel: hook.channel,
    detail: { hook: hook.id, ...detail },
  })
