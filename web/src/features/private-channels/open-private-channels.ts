/** The open dialog of private channels. The dialogs themselves are loaded on demand. */
import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'

export type PrivateChannelDialog =
  | { kind: 'create' }
  | { kind: 'manage'; channel: ChannelId; focus: 'name' | 'add' }
  | { kind: 'leave'; channel: ChannelId }

export const privateChannelDialog = signal<PrivateChannelDialog | undefined>(undefined)

export function openPrivateChannelDialog(dialog: PrivateChannelDialog) {
  privateChannelDialog.value = dialog
}
