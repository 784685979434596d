/** The outbox of this tab: storage in IndexedDB, requests, and messages to the other tabs. */
import type { ChannelId } from '#shared/domain/units.ts'
import { channelOf, everyChannel } from '../../store/channels/channels.ts'
import type { Pending } from '../../store/messages/pending.ts'
import { report } from '../../store/reports.ts'
import { session, viewer } from '../../store/store.ts'
import { part } from '../../ui/part.ts'
import { database, forgetDatabase } from '../device/indexed-db.ts'
import { systemClock } from '../requests/clock.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { uuid } from '../requests/uuid.ts'
import { tabChannel } from '../tabs/tab-channel.ts'
import { createClaims, withLock } from '../tabs/tab-lock.ts'
import { Outbox } from './outbox.ts'
import type { OutboxMessage, OutboxStorage } from './outbox-world.ts'

export const partedUpload = part<typeof import('../requests/upload-in-parts.ts')>()

const NAME = `bothy outbox ${viewer}`
const db = database(NAME, created => {
  created.createObjectStore('messages', { keyPath: 'key' })
  createClaims(created)
})

const storage: OutboxStorage = {
  all: () => db.run<Pending[]>('messages', 'readonly', store => store.getAll()),
  has: async key => {
    const count = await db.run('messages', 'readonly', store => store.count(key))
    return count === undefined ? undefined : count > 0
  },
  put: async message => {
    const key = await db.run('messages', 'readwrite', store => store.put(message))
    return key === undefined ? undefined : true
  },
  delete: key => db.run('messages', 'readwrite', store => store.delete(key)),
}

export const outbox = new Outbox({
  viewer,
  storage,
  channelOf,
  everyChannel,
  clock: systemClock,
  hasSession: () => session.peek() !== 'ended',
  send: ({ channel, text, replyTo, composedFor = channel, partOf, key, file, quiet = false }, underway) =>
    endpoints.send(
      channel,
      {
        text,
        replyTo,
        composedFor,
        partOf,
        clientId: key,
        isQuiet: quiet,
        ...(file && { file }),
      },
      underway,
    ),
  goesInParts: endpoints.goesInParts,
  upload: async ({ key, file }, underway) => {
    const { uploadInParts } = await endpoints.whole(partedUpload.load())
    await uploadInParts(key, file!, underway)
  },
  discard: ({ key, file }) => {
    // The server removes it after a day at the latest.
    if (file && endpoints.goesInParts(file)) void endpoints.cancelUpload(key).catch(tolerateFailure)
  },
  // Two tabs that upload the same file would disturb each other for as long as it takes.
  withLock: (channel: ChannelId, lane, work) =>
    lane === 'uploads'
      ? withLock(db, `${NAME} ${channel} uploads`, work, Number.POSITIVE_INFINITY)
      : withLock(db, `${NAME} ${channel}`, work),
  tabs: tabChannel<OutboxMessage>(NAME),
  newKey: uuid,
  addressOf: file => URL.createObjectURL(file),
  revoke: address => URL.revokeObjectURL(address),
  report,
})

addEventListener('beforeunload', event => {
  if (outbox.isUnsafe()) event.preventDefault()
})

/** The account is deleted. */
export const forgetOutbox = () => forgetDatabase(NAME)
