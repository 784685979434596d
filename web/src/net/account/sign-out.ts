import type { Milliseconds } from '#shared/domain/units.ts'
import { viewer } from '../../store/store.ts'
import { forgetStoredDrafts, keepTyped } from '../../store/writing/drafts.ts'
import { forgetCache } from '../device/cache.ts'
import { sendLastDrafts, stopTakingDrafts } from '../messages/sync-drafts.ts'

/** For the last drafts; without a connection they stay on the device. */
const DRAFTS_WITHIN: Milliseconds = 3_000

/** Deletes the messages of others and the drafts that the server has; what it lacks stays for the next sign-in. */
export async function signOut() {
  keepTyped()
  await Promise.race([sendLastDrafts(), new Promise(resolve => setTimeout(resolve, DRAFTS_WITHIN))])
  stopTakingDrafts()
  forgetStoredDrafts(viewer)
  await forgetCache()
  location.assign('/logout')
}
