import { forgetCache } from './cache.ts'

/** Deletes the messages of others; the user's own drafts and unsent messages stay. */
export async function signOut() {
  await forgetCache()
  location.assign('/logout')
}
