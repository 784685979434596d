import { lockName } from '#shared/access/account-locks.ts'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import { EVENTS_FOR_ADMINS } from '#shared/domain/outgoing-hooks.ts'
import type { OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { IS_OF_ADMIN } from './hooks.ts'

type Why = NonNullable<OutgoingHookPayload['disabled_why']>

const ENABLE = 'Enable it in Administration › Integrations'
const REASONS: Record<Why, string> = {
  gone: `its receiver answered 410 Gone. ${ENABLE} once the receiver is back.`,
  failing: `its receiver has failed for three days. ${ENABLE} once the receiver is back.`,
  bot: `its bot is deactivated. ${ENABLE} once the bot is reactivated.`,
  person: 'it tells of people and of the audit log, for administrators alone.',
}

/** SQL: `hook` has no active bot; it has events of administration alone, and its maker does not administer. */
const IS_OVER = {
  bot: `exists (select from users bot where bot.username = hook.bot and bot.state <> 'active')`,
  person: `hook.events <@ '{${EVENTS_FOR_ADMINS.join()}}' and not ${IS_OF_ADMIN}`,
}

/** Disables the hooks that have nothing to tell any more. */
export async function endHooks(stores: Stores): Promise<number> {
  const { rows } = await stores.db.query<{ id: number; why: 'bot' | 'person' }>(
    `select id, case when ${IS_OVER.bot} then 'bot' else 'person' end as why
       from hooks_out hook
      where active and (${IS_OVER.bot} or ${IS_OVER.person})
      order by id`,
  )
  for (const { id, why } of rows) await endHook(stores, id, why)
  return rows.length
}

/** Disables a hook, with a line to its maker. Does nothing where another janitor came first, or where the reason is gone. */
export async function endHook(stores: Stores, id: number, why: Why): Promise<void> {
  const scope = ({ maker, channel }: { maker: Username; channel: ChannelId }) => ({
    channel,
    users: [maker],
    besides: [{ collections: ['sidebar'] as const, users: [maker] }],
  })
  await runTransaction(stores, 'send', scope, async tx => {
    const { rows: found } = await tx.query<{ created_by: Username | null }>(
      'select created_by from hooks_out where id = $1',
      [id],
    )
    const created = found[0]?.created_by ?? null
    const maker = created === null ? undefined : await lockName(tx, created, `state = 'active'`)
    const { rows } = await tx.query<{ name: string }>(
      `update hooks_out hook
          set active = false, disabled_why = $2
        where id = $1 and active and ${why === 'bot' || why === 'person' ? IS_OVER[why] : 'true'}
       returning name`,
      [id, why],
    )
    const [hook] = rows
    if (!hook) return unchanged
    await insertAuditEntry(tx, {
      actor: SYSTEM_SENDER,
      actorKind: 'system',
      action: 'hook_out.disabled',
      target: hook.name,
      detail: { hook: id, why },
    })
    if (maker === undefined) return unchanged
    const channel = dmId([maker, SYSTEM_SENDER])
    const text = `The outgoing hook “${hook.name}” is disabled: ${REASONS[why]}`
    await insertSystemMessage(tx, channel, text, { opensFor: [maker] })
    return { maker, channel }
  })
}
