import type { WorkspacePayload } from '#shared/domain/payloads.ts'
import { maxFileBytes } from '#shared/runtime/settings.ts'
import { VERSION } from '#shared/runtime/version.ts'
import type { GlobalCollection } from './collection.ts'

/** Name, look and limits of the workspace, from the settings. */
export const workspace: GlobalCollection<'workspace'> = {
  event: 'workspace',
  scope: 'global',
  minInterval: 1_000,
  sameForAll: true,

  async read({ settings }, viewers) {
    const { current, logo } = settings
    const payload: WorkspacePayload = {
      name: current.workspace_name,
      logo: logo === undefined ? null : `/workspace_logo?v=${logo}`,
      accent: current.accent,
      signup_mode: current.signup_mode,
      read_receipts: current.read_receipts,
      limits: {
        file_bytes: maxFileBytes(current),
        message_chars: current.max_message_chars,
        mention_guard: current.mention_guard,
      },
      version: VERSION,
    }
    return new Map(viewers.map(viewer => [viewer, payload]))
  },
}
