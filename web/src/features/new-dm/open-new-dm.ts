import { signal } from '@preact/signals'
import { dmId } from '#shared/domain/channel-id.ts'
import type { Username } from '#shared/domain/units.ts'
import { hashOf } from '../../store/route.ts'
import { viewer } from '../../store/store.ts'

export const isNewDmOpen = signal(false)

export function openNewDm() {
  isNewDmOpen.value = true
}

/** Opens the conversation; a new one is stored with its first message. */
export function startConversation(names: Username[]) {
  location.hash = hashOf(dmId([viewer, ...names]))
}
