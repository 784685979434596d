/** Keeps the profiles of all people up to date: requested once, then changed by the event `people` (interface 10.20). */
import { effect, untracked } from '@preact/signals'
import { dmId } from '#shared/domain/channel-id.ts'
import type { PeopleChangesPayload, PeoplePayload, PersonPayload } from '#shared/domain/payloads.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { current, everyChannel } from '../store/channels.ts'
import { isDm, othersIn } from '../store/names.ts'
import {
  ambiguousNames,
  changePeople,
  everyPerson,
  peekPerson,
  peopleVersion,
  statusEnds,
} from '../store/people.ts'
import { hashOf } from '../store/route.ts'
import { me, people, peopleChanges, viewer } from '../store/store.ts'
import { json } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'
import { profile } from './lazy-endpoints.ts'
import { load, loadMembers } from './open-channel.ts'

let revision: number | undefined

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
  void loadPeople()
}

function loadAll() {
  revision = undefined
  void loadPeople()
}

function take(changes: PeopleChangesPayload) {
  // The whole list is requested already.
  if (revision === undefined) return
  if (revision < changes.from_rev) return void loadPeople()
  revision = Math.max(revision, changes.rev)
  apply(changes.people, knownAs(changes.gone))
}

let loading = false

async function loadPeople() {
  if (loading) return
  loading = true
  const since = revision
  try {
    const path = since === undefined ? '/people' : `/people?since=${since}`
    const found = await json<PeoplePayload>(path, undefined, list => Array.isArray(list.people))
    const listed = new Set(found.people.map(person => person.username))
    const isWhole = since === undefined || me.peek()?.role === 'guest'
    const gone = isWhole ? known(name => !listed.has(name)) : knownAs(found.gone)
    revision = found.rev
    apply(found.people, gone)
  } catch (error) {
    tolerateFailure(error)
  } finally {
    loading = false
  }
  // A frame may have arrived meanwhile.
  const later = peopleChanges.peek()
  if (revision !== undefined && later && later.rev > revision) take(later)
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
  const isNamed = (person: PersonPayload | undefined) => Boolean(person?.display_name)
  const renames =
    gone.some(name => isNamed(peekPerson(name))) ||
    changed.some(person => isNamed(person) || isNamed(peekPerson(person.username)))
  const isNew = changed.some(person => !peekPerson(person.username))
  changePeople(changed, gone)
  if (renames || isNew) findAmbiguous()
  listActive()
  for (const name of gone) void followRename(name)
}

/** The same array while nobody came or went: a new one renders all its users. */
function listActive() {
  const names = known(name => peekPerson(name)!.active && name !== viewer).sort()
  if (names.join() === people.peek().join()) return
  people.value = names
  const channel = current.peek()
  if (channel) void loadMembers(channel)
}

function findAmbiguous() {
  const owners = new Map<string, number>()
  const add = (name: string) => owners.set(name, (owners.get(name) ?? 0) + 1)
  for (const { username, display_name } of everyPerson()) {
    const [name, display] = [username.toLowerCase(), display_name?.toLowerCase()]
    add(name)
    if (display && display !== name) add(display)
  }
  ambiguousNames.value = new Set([...owners].filter(([, count]) => count > 1).map(([name]) => name))
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
