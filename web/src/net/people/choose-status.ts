import type { PresenceOverride } from '#shared/domain/payloads/people.ts'
import { changePresence } from '../../store/people/presence.ts'
import { override, viewer } from '../../store/store.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { setPresenceOverride } from '../requests/lazy-endpoints.ts'

/** Shown at once; the next presence frame brings the state that others see. */
export async function chooseStatus(choice: PresenceOverride | 'auto') {
  const before = override.value
  override.value = choice === 'auto' ? null : choice
  changePresence([[viewer, choice === 'auto' ? 'active' : choice]], [])
  try {
    await setPresenceOverride(choice)
  } catch (error) {
    tolerateFailure(error)
    override.value = before
  }
}
