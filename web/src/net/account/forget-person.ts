/** Deletes all data of a deleted account from this device. */
import { forgetPersisted } from '../../store/device/persisted.ts'
import { accountDeleted, session, viewer } from '../../store/store.ts'
import { forgetCache } from '../device/cache.ts'
import { forgetOutbox } from '../outbox/browser-outbox.ts'
import { forgetAttachments } from '../outbox/kept-attachments.ts'
import { forgetKeptPage } from './service-worker.ts'

export function forgetPerson() {
  session.value = 'ended'
  accountDeleted.value = true
  forgetKeptPage()
  void forgetCache()
  void forgetOutbox()
  void forgetAttachments()
  forgetPersisted(isOf)
}

/** Key format: `bothy <kind> <username> …`, the kind without a space. */
function isOf(key: string) {
  const [product, , whose] = key.split(' ')
  return product === 'bothy' && whose === viewer
}
