import type { AccountState, Role } from '#shared/domain/roles.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { shareNames } from './names.ts'

export interface NewAccount {
  username: Username
  /** Empty: people see the username. */
  displayName?: string
  passwordHash: string
  now: Seconds
  role?: Role
  state?: AccountState
  /** The invitation by which it came. */
  invitation?: { id: number; created_by: Username } | undefined
  /** Only for a bot (interface 19.3). */
  bot?: { owner: Username; description: string | null; isMadeWithHook?: boolean }
}

/**
 * Returns false when the name is taken; the unique index decides between concurrent sign-ups. Checks names of deleted
 * accounts and of groups after the insert, in the same transaction: the insert may have waited for the deletion of that
 * very name.
 */
export async function insertAccount(tx: Db, account: NewAccount): Promise<boolean> {
  const {
    username,
    displayName = '',
    passwordHash,
    now,
    role = 'member',
    state = 'active',
    invitation,
    bot,
  } = account
  await shareNames(tx)
  const { rowCount: inserted } = await tx.query(
    `insert into users (username, display_name, password_hash, created_ts, role, state, invited_by, invite_id,
                        kind, bot_owner, description, is_bot_of_hook)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict do nothing`,
    [
      username,
      displayName || null,
      passwordHash,
      now,
      role,
      state,
      invitation?.created_by ?? null,
      invitation?.id ?? null,
      bot ? 'bot' : 'person',
      bot?.owner ?? null,
      bot?.description ?? null,
      bot?.isMadeWithHook ?? false,
    ],
  )
  if (inserted === 0) return false
  const { rowCount: removed } = await tx.query(
    `delete from users
      where username = $1
        and (exists (select from deleted_names where username_key = lower($1))
             or exists (select from account_renames where lower(new_username) = lower($1))
             or exists (select from user_groups where handle_key = lower($1)))`,
    [username],
  )
  return removed === 0
}
