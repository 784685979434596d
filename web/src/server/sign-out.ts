import { forgetCache } from './cache.ts'

/** What others wrote is not for whoever sits here next. What one has written oneself waits, drafts and unsent messages. */
export async function signOut() {
  await forgetCache()
  location.assign('/logout')
}
