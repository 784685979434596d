import { hideVersions as hide } from '#shared/stores/hidden-versions.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** While `keep_edits` is off. The client's switch hides at once; the settings file has no other place that notices. */
export async function hideVersions({ db, settings }: Stores): Promise<number> {
  return !settings.current.keep_edits && (await hide(db)) ? 1 : 0
}
