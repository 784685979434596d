import type { PreferencesPayload } from '#shared/domain/payloads/account.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

const DEFAULTS: PreferencesPayload = {
  share_read: true,
  owner_card: true,
  fold_replies: false,
  sidebar: { sort: 'recent', hide_read: false },
}

export async function preferencesOf(db: Db, username: Username): Promise<PreferencesPayload> {
  const { rows } = await db.query<{ prefs: Partial<PreferencesPayload> }>(
    'select prefs from preferences where username = $1',
    [username],
  )
  return { ...DEFAULTS, ...rows[0]?.prefs }
}

/** Merges; null removes a key, which goes back to its default. Returns whether anything changed. */
export async function setPreferences(
  db: Db,
  username: Username,
  patch: Record<string, unknown>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into preferences as chosen (username, prefs)
     values ($1, jsonb_strip_nulls($2::jsonb))
     on conflict (username) do update
        set prefs = jsonb_strip_nulls(chosen.prefs || $2::jsonb)
      where chosen.prefs <> jsonb_strip_nulls(chosen.prefs || $2::jsonb)`,
    [username, JSON.stringify(patch)],
  )
  return rowCount === 1
}
