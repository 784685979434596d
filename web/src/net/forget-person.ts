/** Deletes all data of a deleted account from this device. */
import { accountDeleted, session, viewer } from '../store/store.ts'
import { forgetCache } from './cache.ts'
import { forgetKeptPage } from './install.ts'
import { forgetOutbox } from './outbox.ts'

export function forgetPerson() {
  session.value = 'ended'
  accountDeleted.value = true
  forgetKeptPage()
  void forgetCache()
  void forgetOutbox()
  try {
    for (const key of Object.keys(localStorage)) if (isOf(key)) localStorage.removeItem(key)
    sessionStorage.clear()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

/** Key format: `bothy <kind> <username> …`. */
function isOf(key: string) {
  const [product, , whose] = key.split(' ')
  return product === 'bothy' && whose === viewer
}
