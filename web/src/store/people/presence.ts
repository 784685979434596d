/**
 * Presence of everybody, from the server. In an office of thousands it changes every second, so each displayed name has
 * a signal of its own.
 */
import { batch, type Signal, signal } from '@preact/signals'
import type { PresenceState } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'

const states = new Map<Username, PresenceState>()
const shown = new Map<Username, Signal<PresenceState | undefined>>()

/** Incremented with every change, for views of everybody. */
export const presenceChanges = signal(0)
/** Incremented when a new name appears. */
export const presenceArrivals = signal(0)

export const peekPresence = (name: Username): PresenceState | undefined => states.get(name)

export function reportedPresenceOf(name: Username): PresenceState | undefined {
  let one = shown.get(name)
  if (!one) {
    one = signal(states.get(name))
    shown.set(name, one)
  }
  return one.value
}

/** Replaces all states: a name that is missing is gone. */
export function replacePresence(all: ReadonlyMap<Username, PresenceState>) {
  const gone = [...states.keys()].filter(name => !all.has(name))
  changePresence(all, gone)
}

/** Sets the changed states and removes the names in `gone`. */
export function changePresence(set: Iterable<[Username, PresenceState]>, gone: readonly Username[]) {
  batch(() => {
    let hasChanged = false
    for (const [name, state] of set) {
      const before = states.get(name)
      if (before === state) continue
      if (before === undefined) presenceArrivals.value++
      hasChanged = true
      states.set(name, state)
      tell(name)
    }
    for (const name of gone) {
      if (!states.delete(name)) continue
      hasChanged = true
      tell(name)
    }
    if (hasChanged) presenceChanges.value++
  })
}

function tell(name: Username) {
  const one = shown.get(name)
  if (one) one.value = states.get(name)
}
