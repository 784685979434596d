import { guestsAmong } from '#shared/access/visible-people.ts'
import type { WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import { maxFileBytes, maxUploadBytes } from '#shared/runtime/settings.ts'
import { VERSION } from '#shared/runtime/version.ts'
import type { GlobalCollection } from './collection.ts'

/** Name, look and limits of the workspace, from the settings, and the revisions of its emoji and commands. */
export const workspace: GlobalCollection<'workspace'> = {
  event: 'workspace',
  scope: 'global',
  minInterval: 1_000,
  sameForAll: true,

  async read({ db, settings }, viewers) {
    const { current, logo } = settings
    const { rows } = await db.query<{ rev: number; makers_rev: number; commands_rev: number }>(
      `select rev, makers_rev, (select rev from command_revision) as commands_rev from emoji_revision`,
    )
    const { rev, makers_rev, commands_rev } = rows[0] ?? { rev: 0, makers_rev: 0, commands_rev: 0 }
    const payload: WorkspacePayload = {
      name: current.workspace_name,
      logo: logo === undefined ? null : `/workspace_logo?v=${logo}`,
      accent: current.accent,
      signup_mode: current.signup_mode,
      read_receipts: current.read_receipts,
      keep_edits: current.keep_edits,
      emoji_rev: rev + makers_rev,
      commands_rev,
      limits: {
        file_bytes: maxFileBytes(current),
        upload_bytes: maxUploadBytes(current),
        file_types: current.file_types,
        message_chars: current.max_message_chars,
        mention_guard: current.mention_guard,
      },
      version: VERSION,
    }
    // Guests learn nothing of makers whom they do not see.
    const forGuests: WorkspacePayload = { ...payload, emoji_rev: rev }
    const guests = new Set(await guestsAmong(db, viewers))
    return new Map(viewers.map(viewer => [viewer, guests.has(viewer) ? forGuests : payload]))
  },
}
