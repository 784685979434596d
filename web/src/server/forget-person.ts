/** The account is gone: nothing of it stays on this device. */
import { accountDeleted, session, viewer } from '../store/store.ts'
import { forgetKeptPage } from './install.ts'

export function forgetPerson() {
  session.value = 'ended'
  accountDeleted.value = true
  forgetKeptPage()
  try {
    for (const key of Object.keys(localStorage)) if (isOf(key)) localStorage.removeItem(key)
    sessionStorage.clear()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

/** Keys are `bothy <what> <whose> …`. */
function isOf(key: string) {
  const [product, , whose] = key.split(' ')
  return product === 'bothy' && whose === viewer
}
