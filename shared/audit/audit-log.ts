import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** `operator`: a person with a shell on the server; `system`: a rule of the service. */
export interface Actor {
  actor: Username
  actorKind: 'person' | 'bot' | 'operator' | 'system'
  /** IP address of the request. */
  address?: string | undefined
}

/** The operator's commands, which act with the rights of an owner. */
export const OPERATOR: Actor = { actor: 'cli', actorKind: 'operator' }

export const isOperator = ({ actorKind }: Actor): boolean => actorKind === 'operator'

export interface AuditEntry extends Actor {
  /** `<subject>.<verb>`, for example `person.role` (interface 16.3). */
  action: string
  /** Name or id of the person or thing acted on. */
  target?: string | undefined
  channel?: ChannelId | undefined
  detail?: Record<string, unknown> | undefined
}

/** Writes an entry in the transaction of its act, so that neither exists without the other. A bot is noted as one. */
export async function insertAuditEntry(tx: Db, entry: AuditEntry): Promise<void> {
  await tx.query(
    `insert into audit_log (actor, actor_kind, action, target, channel, detail, address)
     select $1, case when $2 = 'person' then coalesce((select kind from users where username = $1), $2) else $2 end,
            $3, $4, $5, $6, $7`,
    [
      entry.actor,
      entry.actorKind,
      entry.action,
      entry.target ?? null,
      entry.channel ?? null,
      JSON.stringify(entry.detail ?? {}),
      entry.address ?? null,
    ],
  )
}
