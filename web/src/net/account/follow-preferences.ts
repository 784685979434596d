/** Loads the preferences again when they change, here or on another device. */
import { effect } from '@preact/signals'
import { takeLook } from '../../store/sidebar/sidebar.ts'
import { me } from '../../store/store.ts'
import { takeFoldReplies } from '../../store/threads/fold-replies.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { preferences } from '../requests/lazy-endpoints.ts'

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
