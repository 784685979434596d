/** Loads the preferences again when they change, here or on another device. */
import { effect } from '@preact/signals'
import { takeLook } from '../store/sidebar.ts'
import { me } from '../store/store.ts'
import { tolerateFailure } from './failure.ts'
import { preferences } from './lazy-endpoints.ts'

let revision: number | undefined

export function followPreferences() {
  effect(() => {
    const now = me.value?.preferences_rev
    if (now === undefined || now === revision) return
    revision = now
    void loadPreferences()
  })
}

async function loadPreferences() {
  try {
    takeLook((await preferences()).sidebar)
  } catch (error) {
    tolerateFailure(error)
    // The next frame tries again.
    revision = undefined
  }
}
