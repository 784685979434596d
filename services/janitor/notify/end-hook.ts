import { lockName } from '#shared/access/account-locks.ts'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'

const REASONS = {
  gone: 'its receiver answered 410 Gone',
  failing: 'its receiver has failed for three days',
} as const

/** Disables a hook, with a line to its maker. Does nothing where another janitor came first. */
export async function endHook(stores: Stores, id: number, why: keyof typeof REASONS): Promise<void> {
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
      `update hooks_out set active = false, disabled_why = $2 where id = $1 and active returning name`,
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
    const text = `The outgoing hook “${hook.name}” is disabled: ${REASONS[why]}. Enable it in Administration › Integrations once the receiver is back.`
    await insertSystemMessage(tx, channel, text, { opensFor: [maker] })
    return { maker, channel }
  })
}
