import { currentNames } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { endHooksOfOthers } from '#shared/ownership/pass-bots.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { setAvatar, storeAvatar } from '../account/settings/avatar.ts'
import { checkCountOfPerson, lockBot } from './locked-bot.ts'
import { type Bot, updateBot } from './queries.ts'

/** Undefined: unchanged; null: removed. */
export interface BotChange {
  display_name?: string | null
  description?: string | null
  owner?: string
  /** The upload of a new picture. */
  avatar?: { path: string; originalName: string } | null
}

/** All of it or nothing, by the owner of the bot or an administrator. */
export async function changeBot(
  stores: Stores,
  actor: Actor,
  name: Username,
  { avatar, ...change }: BotChange,
): Promise<void> {
  // Without its row, also where a commit is in doubt, it is swept later; a row without its picture would be broken.
  const picture = avatar ? await storeAvatar(stores, actor.actor, avatar) : avatar
  let isOver: string | null = null
  const scope = { users: [name] }
  await runTransaction<typeof unchanged | undefined>(stores, 'changePerson', scope, async tx => {
    const fields = await exchange(tx, actor, name, change)
    if (picture !== undefined) {
      isOver = await setAvatar(tx, name, picture)
      if (isOver !== picture) fields.push('avatar')
    }
    if (fields.length === 0) return unchanged
    const told = fields.filter(field => field !== 'owner')
    if (told.length > 0)
      await insertAuditEntry(tx, { ...actor, action: 'bot.changed', target: name, detail: { fields: told } })
    return undefined
  })
  if (isOver !== null) await stores.files.remove(isOver)
}

/** Returns the names of the fields that have other values now. */
async function exchange(
  tx: Db,
  actor: Actor,
  name: Username,
  { owner: heir, ...change }: Omit<BotChange, 'avatar'>,
): Promise<string[]> {
  const [owner] = heir === undefined ? [] : await currentNames(tx, [heir])
  const { bot, others } = await lockBot(tx, actor, name, owner === undefined ? [] : [owner])
  const changed: Bot = { ...bot, ...change, ...(owner !== undefined && { owner }) }
  const fields = FIELDS.filter(field => changed[field] !== bot[field])
  if (fields.includes('owner')) {
    const [person] = others
    if (person?.state !== 'active' || person.kind !== 'person' || person.role === 'guest')
      throw errors.invalid('owner must be the name of an active person who is no guest')
    await checkCountOfPerson(tx, person.username)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'bot.owner',
      target: name,
      detail: { from: bot.owner, to: person.username },
    })
  }
  if (fields.length > 0) await updateBot(tx, changed)
  if (fields.includes('owner')) await endHooksOfOthers(tx, actor, name, owner!)
  return [...fields]
}

const FIELDS = ['display_name', 'description', 'owner'] as const
