import { type LockedPerson, lockRoles } from '#shared/access/account-locks.ts'
import { currentNames } from '#shared/access/person.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { listOfNames } from '#shared/domain/channel-name.ts'
import type { AddedPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { OF_OWN_CHANNELS, OF_READABLE_CHANNELS } from '#shared/notices/invalidations.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { markJoined } from '../read-state/read-marker.ts'
import { clearTyping } from '../typing.ts'
import { lockedOpenChannel } from './locked-channel.ts'
import { decide, insertAdded, lockMemberships } from './queries.ts'

/** Members add members; guests are added by managers only. Skips unknown people and those who have joined. */
export async function addPeople(
  stores: Stores,
  adder: Username,
  text: string,
  given: readonly string[],
): Promise<AddedPayload> {
  const names = await currentNames(stores.db, given)
  let added: Username[] = []
  await stores.rowLockQueues.run(text.slice(0, 100), () =>
    runTransaction(stores, 'addMember', scopeOf, async tx => {
      const locked = await lockRoles(tx, [adder, ...names])
      const { id, role, isConfigured, manages } = await lockedOpenChannel(stores, tx, adder, text)
      if (role === 'guest') throw errors.forbidden()
      const people = named(locked, names).filter(person => person.role !== 'guest' || manages)
      // Memberships after the clock, as a send that joins.
      added = await decide(
        tx,
        id,
        people.map(person => person.username),
        true,
        isConfigured,
      )
      if (added.length === 0) return unchanged
      await markJoined(tx, added, [id])
      const line = await insertSystemMessage(tx, id, `${adder} added ${listOfNames(added)}.`)
      await insertAdded(tx, id, line, added)
      return { channel: id, people: added, hasGuest: hasGuest(people, added) }
    }),
  )
  const done = new Set(added.map(name => name.toLowerCase()))
  return { added, skipped: [...new Set(given.filter((_, i) => !done.has(names[i]!.toLowerCase())))] }
}

/** Managers only. A member may come back, a guest cannot. */
export async function removePerson(
  stores: Stores,
  remover: Username,
  text: string,
  given: string,
): Promise<void> {
  const [name] = (await currentNames(stores.db, [given])) as [string]
  const removed = await runTransaction(stores, 'removeMember', scopeOf, async tx => {
    const locked = await lockRoles(tx, [remover, name])
    const people = named(locked, [name])
    const { id, isConfigured, manages } = await lockedOpenChannel(stores, tx, remover, text, channel =>
      // Before the clock, as their sends.
      lockMemberships(
        tx,
        channel,
        people.filter(person => person.role === 'guest'),
      ),
    )
    if (!manages) throw errors.forbidden()
    const names = people.map(person => person.username)
    const gone = await decide(tx, id, names, false, isConfigured)
    if (gone.length === 0) throw errors.coded(409, 'conflict', 'This person is not in the channel.')
    await insertSystemMessage(tx, id, `${remover} removed ${listOfNames(gone)} from the channel.`)
    return { channel: id, people: gone, hasGuest: hasGuest(people, gone) }
  })
  for (const person of removed.people) await clearTyping(stores, person, removed.channel)
}

/** The locked accounts that a request names. */
function named(locked: readonly LockedPerson[], names: readonly string[]): LockedPerson[] {
  const keys = new Set(names.map(name => name.toLowerCase()))
  return locked.filter(({ username }) => keys.has(username.toLowerCase()))
}

const hasGuest = (people: readonly LockedPerson[], changed: readonly Username[]) =>
  people.some(({ username, role }) => role === 'guest' && changed.includes(username))

interface Changed {
  channel: ChannelId
  people: Username[]
  /** Each sidebar tells whether a guest is in the channel. */
  hasGuest: boolean
}

const scopeOf = ({ channel, people, hasGuest }: Changed) => ({
  channel,
  besides: [
    { collections: hasGuest ? OF_READABLE_CHANNELS : OF_OWN_CHANNELS, users: people },
    ...(hasGuest ? [{ collections: ['sidebar'] as const }] : []),
  ],
})
