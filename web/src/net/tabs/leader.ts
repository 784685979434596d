/**
 * Roles of a tab among the tabs of a person in a browser. The first tab that asks leads; the next one takes over when
 * it is closed, crashes or is signed out.
 */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { session, viewer } from '../../store/store.ts'
import { holdLock } from './tab-lock.ts'

/** `notify`: notifications, and the presence of all tabs. `sound`: only tabs with a user gesture, as browsers demand. */
export type Role = 'notify' | 'sound'

const roles = new Map<Role, ReadonlySignal<boolean>>()

/** True while this tab leads. The first call also enters the election. */
export function leads(role: Role): ReadonlySignal<boolean> {
  const known = roles.get(role)
  if (known) return known
  const leading = signal(false)
  roles.set(role, leading)
  untracked(() =>
    effect(() => {
      // A tab without a session receives nothing to report.
      if (session.value === 'ended') return
      return holdLock(`bothy ${role} ${viewer}`, isHeld => {
        leading.value = isHeld
      })
    }),
  )
  return leading
}
