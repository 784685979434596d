import type pg from 'pg'
import { ConfigurationError } from '#shared/runtime/config.ts'

/**
 * The schema of 0.2.0 is one migration. A database of 0.1.0, which has the same schema by all migrations of that release,
 * is taken over: the migration is recorded, not run. The former names stay recorded, so that processes of 0.1.0 run on it.
 * `baseline.test.ts` compares both schemas. The take-over and the former names go when upgrades from 0.1.0 end.
 */
export const BASELINE = '0001_baseline.sql'

/** The oldest release that runs on a database taken over; on one made by 0.2.0 it is 0.2.0. */
export const TAKEN_OVER_WORKS_FROM = '0.1.0'

/** Changes of a take-over: it drops procedures that filled tables during migrations. */
export const TAKE_OVER = 'drop procedure if exists fill_files(), fill_message_texts(), fill_text_places();'

/** Migrations of 0.1.0. */
export const FORMER: readonly string[] = `
  0001_accounts 0002_channels 0003_messages 0004_message_search 0005_read_state 0006_presence
  0007_private_channels 0008_calls 0009_screen_shares 0010_reset_tokens 0011_deletions 0012_service_start
  0013_retention 0014_forgetting 0015_client_ids 0016_gone_messages 0017_account_deletions 0018_message_texts
  0020_signals_of_a_pair 0021_presence_and_watermarks 0022_gone_messages_of_before 0023_message_texts_filled
  0025_ended_sessions 0027_sidebar 0028_presence_of_tabs 0029_activity_and_preferences 0030_activity_filled
  0031_calls_with_video 0032_people 0033_people_filled 0034_people_validated 0035_administration
  0036_invitations 0037_channels 0038_restricted_accounts 0039_made_once 0040_own_sidebar
  0041_own_sidebar_checked 0042_status 0043_ends_of_statuses 0044_people_changes 0045_people_revisions
  0046_message_extra 0047_renaming 0048_renaming_validated 0049_office_indexes 0050_groups
  0053_reactions_in_archived_channels 0054_renaming_resumes 0055_threads 0056_thread_indexes 0060_files
  0061_files_filled 0064_pins 0065_saved 0066_reminders_in_the_inbox 0067_scheduled 0070_message_edits
  0071_custom_emoji 0076_reactions_of_guests 0077_sidebar_revisions 0090_indexes_of_later 0091_followers_of
  0092_added_to_channels 0093_added_to_channels_checked 0096_forwards_by_sender 0098_places_of_texts
  0099_places_of_texts_filled 0105_mentioned_by_name 0113_makers_of_emoji 0114_removed_by 0115_hidden_versions
  0116_versions_by_time 0119_backups 0120_works_from 0121_lock_of_people 0122_paths_of_client_ids
  0125_marks_by_joining 0129_spent_uploads 0140_folded_texts 0141_folded_names
`
  .trim()
  .split(/\s+/)
  .map(name => `${name}.sql`)

const former = new Set(FORMER)

export const isFormer = (name: string): boolean => former.has(name)

/** True if these migrations, applied or of a backup, make the schema of 0.1.0. */
export function isFormerSchema(names: Iterable<string>): boolean {
  const there = new Set(names)
  return FORMER.every(name => there.has(name))
}

/** Migrations of 0.1.0 that are missing where others are there. */
function missingFormer(names: readonly string[]): string[] {
  if (names.includes(BASELINE) || !names.some(isFormer)) return []
  return FORMER.filter(name => !names.includes(name))
}

/** Throws for a database that a commit before 0.1.0 was complete has made. */
export function refusePartialSchema(names: readonly string[]): void {
  const missing = missingFormer(names)
  if (missing.length === 0) return
  throw new ConfigurationError([
    {
      found: `The database was last migrated before bothy 0.1.0 was complete: it lacks ${inWords(missing)}.`,
      next: 'Start bothy 0.1.0 with it first, let it run for some minutes, then start this release.',
    },
  ])
}

/** Throws for a backup of such a database. */
export function refusePartialBackup(names: readonly string[]): void {
  const missing = missingFormer(names)
  if (missing.length === 0) return
  throw new Error(
    `The backup was made before bothy 0.1.0 was complete: it lacks ${inWords(missing)}. Restore it with bothy 0.1.0, start that, and make another backup some minutes later.`,
  )
}

const inWords = ([first, ...others]: readonly string[]) =>
  others.length === 0 ? first : `${first} and ${others.length} more migrations`

/** Throws while rows are left that the janitor of 0.1.0 fills in: this release expects them complete. */
export async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ left: string }>(
    `select 'threads of replies' as left
      where exists (select from messages where reply_to_id is not null and thread_id is null)
      union all
     select 'sizes of files' where exists (select from files where bytes is null)
      union all
     select 'folded texts of the search' where exists (select from unfolded_texts)`,
  )
  if (rows.length === 0) return
  throw new ConfigurationError([
    {
      found: `bothy 0.1.0 has not filled in all ${rows.map(({ left }) => left).join(', ')}.`,
      next: 'Let bothy 0.1.0 run with this data for some minutes, until its janitor has, then upgrade.',
    },
  ])
}
