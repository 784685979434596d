/** Loads the preferences again when they change, here or on another device. */
import { effect } from '@preact/signals'
import { takeFoldReplies } from '../store/fold-replies.ts'
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
    const { sidebar, fold_replies: folds } = await preferences()
    takeLook(sidebar)
    takeFoldReplies(folds)
  } catch (error) {
    tolerateFailure(error)
    // The next frame tries again.
    revision = undefined
  }
}
