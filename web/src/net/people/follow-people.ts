/** Keeps the profiles of all people up to date: requested once, then changed by the event `people` (interface 15.1). */
import { computed, effect, untracked } from '@preact/signals'
import { dmId } from '#shared/domain/channel-id.ts'
import type { PeopleChangesPayload, PeoplePayload, PersonPayload } from '#shared/domain/payloads/people.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { current, everyChannel } from '../../store/channels/channels.ts'
import { isDm, othersIn } from '../../store/channels/names.ts'
import {
  ambiguousNames,
  changePeople,
  everyPerson,
  peekPerson,
  peopleVersion,
  statusEnds,
} from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import {
  dms,
  me,
  people,
  peopleChanges,
  privateChannels,
  publicChannels,
  started,
  viewer,
} from '../../store/store.ts'
import { load, loadMembers } from '../channels/open-channel.ts'
import { json } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { profile } from '../requests/lazy-endpoints.ts'
import { ambiguousAmong, areNamesChanged, namesToFollow } from './people-changes.ts'

/** Before a failed request is repeated once; after that, the next event repeats it. */
const RETRY: Milliseconds = 5_000
/** Channels and conversations come in several events. */
const SETTLE: Milliseconds = 500

let revision: number | undefined
/** Set for guests only (interface 15.1). */
let sight: string | undefined

export function followPeople() {
  effect(() => {
    const changes = peopleChanges.value
    if (changes) untracked(() => take(changes))
  })
  effect(() => {
    void peopleVersion.value
    untracked(awaitStatusEnd)
  })
  let role = me.peek()?.role
  effect(() => {
    const now = me.value?.role
    // Guests see fewer people than others.
    if (role !== undefined && now !== role) untracked(loadAll)
    role = now
  })
  followGuestChannels()
  void loadPeople()
}

/** Undefined for others, who see everybody. */
const channelsOfGuest = computed(() =>
  me.value?.role === 'guest' && started.value === 'ready'
    ? [...publicChannels.value, ...[...privateChannels.value, ...dms.value].map(({ channel }) => channel)]
        .sort()
        .join('\n')
    : undefined,
)

/** A guest sees other people once their channels have changed: sooner than the next frame tells. */
function followGuestChannels() {
  let before: string | undefined
  let soon: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const now = channelsOfGuest.value
    if (before !== undefined && now !== undefined && now !== before) {
      clearTimeout(soon)
      soon = setTimeout(loadAll, SETTLE)
    }
    before = now
  })
}

let loading = false
/** The list under way may be that from before a change. */
let isOutdated = false

function loadAll() {
  revision = undefined
  if (loading) isOutdated = true
  else void loadPeople()
}

function take(changes: PeopleChangesPayload) {
  if (revision === undefined || revision < changes.from_rev || sight !== changes.sight)
    return void loadPeople()
  revision = Math.max(revision, changes.rev)
  apply(changes.people, knownAs(changes.gone))
}

async function loadPeople(isRetry = false) {
  if (loading) return
  loading = true
  const before = peopleChanges.peek()
  // For guests every list is whole.
  const since = me.peek()?.role === 'guest' ? undefined : revision
  try {
    const path = since === undefined ? '/people' : `/people?since=${since}`
    const list = await json<PeoplePayload>(path, undefined, list => Array.isArray(list.people))
    const listed = new Set(list.people.map(person => person.username))
    const gone = since === undefined ? known(name => !listed.has(name)) : knownAs(list.gone)
    revision = list.rev
    sight = list.sight
    apply(list.people, gone)
  } catch (error) {
    tolerateFailure(error)
    if (!isRetry) setTimeout(() => void loadPeople(true), Math.max(RETRY, error.retryAfter * 1_000))
  } finally {
    loading = false
  }
  if (isOutdated) {
    isOutdated = false
    return loadAll()
  }
  // A frame may have arrived meanwhile.
  const later = peopleChanges.peek()
  if (revision === undefined || !later) return
  if (later.rev > revision || (later !== before && later.sight !== sight)) take(later)
}

const known = (is: (name: Username) => boolean) =>
  [...everyPerson()].map(person => person.username).filter(is)

/** `gone`: in lower case. */
function knownAs(gone: readonly string[]) {
  if (gone.length === 0) return []
  const names = new Set(gone)
  return known(name => names.has(name.toLowerCase()))
}

function apply(changed: readonly PersonPayload[], gone: readonly Username[]) {
  if (changed.length === 0 && gone.length === 0) return
  const isRenamed = areNamesChanged(changed, gone, peekPerson)
  changePeople(changed, gone)
  if (isRenamed) ambiguousNames.value = ambiguousAmong(everyPerson(), ambiguousNames.peek())
  listActive()
  const channel = current.peek()
  for (const name of namesToFollow(gone, channel ? othersIn(channel.id) : [])) void followRename(name)
}

/** The same array while nobody came or went: a new one renders all its users. */
function listActive() {
  const names = known(name => peekPerson(name)!.active && name !== viewer).sort()
  if (names.join() === people.peek().join()) return
  people.value = names
  const channel = current.peek()
  if (channel) void loadMembers(channel)
}

/** An old name leads to the account that was renamed: loaded messages and the open conversation still have it. */
async function followRename(old: Username) {
  try {
    const { username } = await profile(old)
    if (username.toLowerCase() === old.toLowerCase()) return
    for (const channel of everyChannel()) if (channel.liveWindow.peek()) channel.isStale.value = true
    const channel = current.peek()
    if (!channel) return
    const others = othersIn(channel.id)
    if (isDm(channel.id) && others.includes(old))
      location.hash = hashOf(dmId([viewer, ...others.map(name => (name === old ? username : name))]))
    else await load(channel)
  } catch (error) {
    // Deleted.
    tolerateFailure(error)
  }
}

/** Timers hold at most about 24 days. */
const LONGEST: Milliseconds = 3_600_000
let timer: ReturnType<typeof setTimeout> | undefined

function awaitStatusEnd() {
  clearTimeout(timer)
  const now = Date.now()
  const ends = [...everyPerson()].map(person => (person.status?.until ?? 0) * 1_000).filter(end => end > now)
  if (ends.length === 0) return
  timer = setTimeout(
    () => {
      statusEnds.value++
      awaitStatusEnd()
    },
    Math.min(LONGEST, Math.min(...ends) - now + 1),
  )
}
