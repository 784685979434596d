import { lockName } from '#shared/access/account-locks.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { EVENTS_FOR_ADMINS } from '#shared/domain/outgoing-hooks.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { longestServingOwner } from './ownership.ts'

/** The bots of a person, by name. Under `lockOwnership` the set stands still. */
export async function botsOf(db: Db, owner: Username): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username from users where kind = 'bot' and bot_owner = $1 order by username`,
    [owner],
  )
  return rows.map(row => row.username)
}

/**
 * Gives the bots of a person who goes, or becomes a guest, to the administrator who acts, else to the longest-serving owner, also
 * beyond the number that a person may have. Without an owner they belong to nobody, and administrators act on them. Called under
 * `lockOwnership`, after the change. Returns the heir, to whom the hooks pass as well: `passHooks`.
 */
export async function passBots(tx: Db, actor: Actor, leaving: Username): Promise<Username | null> {
  const owner = await longestServingOwner(tx)
  // Under its name until the commit: the janitor may be about to rename the owner.
  const heir = (await administrating(tx, actor, leaving)) ?? (owner && (await lockName(tx, owner)))
  const { rows } = await tx.query<{ username: Username }>(
    `with passed as (
       update users set bot_owner = $2 where kind = 'bot' and bot_owner = $1 returning username
     )
     select username from passed order by username`,
    [leaving, heir ?? null],
  )
  for (const { username } of rows)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'bot.owner',
      target: username,
      detail: { from: leaving, to: heir ?? null },
    })
  return heir ?? null
}

const HOOKS = [
  ['hooks_in', 'hook.owner'],
  ['hooks_out', 'hook_out.owner'],
] as const

/** Gives away the hooks that a person made, wherever they post. After the locks of memberships (architecture 4.1). */
export async function passHooks(
  tx: Db,
  actor: Actor,
  leaving: Username,
  heir: Username | null,
): Promise<void> {
  for (const [table, action] of HOOKS) {
    const { rows } = await tx.query<{ id: number; name: string }>(
      `with passed as (
         update ${table} set created_by = $2
          where id in (select id from ${table} where created_by = $1 order by id for no key update)
         returning id, name
       )
       select id, name from passed order by id`,
      [leaving, heir],
    )
    for (const { id, name } of rows)
      await insertAuditEntry(tx, {
        ...actor,
        action,
        target: name,
        detail: { hook: id, from: leaving, to: heir },
      })
  }
}

async function administrating(tx: Db, { actor, actorKind }: Actor, leaving: Username) {
  if (actorKind !== 'person' || actor === leaving) return undefined
  const { rows } = await tx.query<{ username: Username }>(
    `select username from users where username = $1 and state = 'active' and role in ('owner', 'admin')`,
    [actor],
  )
  return rows[0]?.username
}

/**
 * Disables the outgoing hooks that others made with a bot, when it gets another owner: they would go on hearing whatever the
 * bot reads from then on. Called with the account of the bot locked.
 */
export async function endHooksOfOthers(tx: Db, actor: Actor, bot: Username, owner: Username): Promise<void> {
  const { rows } = await tx.query<{ id: number; name: string }>(
    `update hooks_out
        set active = false, disabled_why = 'person'
      where bot = $1 and active and created_by is distinct from $2
     returning id, name`,
    [bot, owner],
  )
  for (const { id, name } of rows)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'hook_out.disabled',
      target: name,
      detail: { hook: id, why: 'person' },
    })
}

/**
 * Takes the events for administrators from the outgoing hooks of a person who administers no longer: they would be told again
 * once the hooks pass to an administrator. Called after the change of the role.
 */
export async function endEventsForAdmins(tx: Db, actor: Actor, maker: Username): Promise<void> {
  const { rows } = await tx.query<{ id: number; name: string }>(
    `update hooks_out hook
        set events = kept,
            active = active and kept <> '{}',
            disabled_why = case when active and kept = '{}' then 'person' else disabled_why end
       from (select id, array(select event from unnest(events) as event where event <> all($2::text[])) as kept
               from hooks_out
              where created_by = $1 and events && $2::text[]) changed
      where hook.id = changed.id
     returning hook.id, hook.name`,
    [maker, EVENTS_FOR_ADMINS],
  )
  for (const { id, name } of rows)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'hook_out.changed',
      target: name,
      detail: { hook: id, fields: ['events'] },
    })
}

const RIGHTS_OF_HOOKS = ['may_choose_channel', 'may_mention_everyone'] as const

/**
 * Takes the rights that administrators alone give from the incoming hooks of a person who administers no longer: the address
 * would keep them. Called after the change of the role, before the hooks pass on.
 */
export async function endRightsOfHooks(tx: Db, actor: Actor, maker: Username): Promise<void> {
  type Former = Record<(typeof RIGHTS_OF_HOOKS)[number], boolean>
  const { rows } = await tx.query<Former & { id: number; name: string; channel: ChannelId }>(
    `update hooks_in hook
        set may_choose_channel = false, may_mention_everyone = false
       from (select id, may_choose_channel, may_mention_everyone
               from hooks_in
              where created_by = $1 and (may_choose_channel or may_mention_everyone)
              order by id
                for no key update) former
      where hook.id = former.id
     returning hook.id, hook.name, hook.channel, former.may_choose_channel, former.may_mention_everyone`,
    [maker],
  )
  for (const { id, name, channel, ...former } of rows) {
    const fields = RIGHTS_OF_HOOKS.filter(right => former[right])
    const values = Object.fromEntries(fields.map(right => [right, false]))
    const detail = { hook: id, fields, ...values }
    await insertAuditEntry(tx, { ...actor, action: 'hook.changed', target: name, channel, detail })
  }
}
