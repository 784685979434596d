import { type Sight, seenByGuests, sightsOfGuests } from '#shared/access/visible-people.ts'
import type { PeopleChangesPayload, PeoplePayload, PersonPayload } from '#shared/domain/payloads/people.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { GlobalCollection } from './collection.ts'

/** How long a change is listed: a client that missed more asks for the people since its revision. */
const LISTED: Seconds = 30
/** People in a frame at most; after more changes all clients ask. */
const MOST_LISTED = 200

/** Recent changes of the list of people. Guests get those of people whom they see. */
export const people: GlobalCollection<'people'> = {
  event: 'people',
  scope: 'global',
  minInterval: 2_000,
  sameForAll: true,

  async read(stores, viewers) {
    const since = stores.clock.now() - LISTED
    // First: the people read later are at least as new as the revisions of the guests.
    const sights = await sightsOfGuests(stores, viewers, since, MOST_LISTED)
    const ofGuests = await peopleNamed(
      stores.db,
      [...sights.values()].flatMap(({ changed }) => changed),
    )
    const changes = await changedLately(stores.db, since)
    return new Map(
      viewers.map(viewer => {
        const sight = sights.get(viewer)
        return [viewer, sight === undefined ? changes : changesFor(sight, ofGuests)]
      }),
    )
  },

  /**
   * Returns when a status ends. A change that is listed no longer is no news: streams have received it, and new ones read
   * the list again.
   */
  async changesAt({ db }, viewers, asOf) {
    const { rows } = await db.query<{ next: Seconds | null }>(
      'select min(status_until) as next from users where status_until > $1',
      [asOf],
    )
    const next = rows[0]?.next
    if (next == null) return new Map()
    return new Map(viewers.map(viewer => [viewer, next + 0.01]))
  },
}

/** People who went out of sight are not named: the names of others would be among them. */
function changesFor(
  { rev, before, sight, changed, count }: Sight,
  known: ReadonlyMap<Username, PersonPayload>,
): PeopleChangesPayload {
  const isListed = count <= MOST_LISTED
  return {
    rev,
    from_rev: isListed ? before : rev,
    people: changed
      .map(name => known.get(name))
      .filter(person => person !== undefined)
      .sort((a, b) => (a.username < b.username ? -1 : 1)),
    gone: [],
    groups_rev: 0,
    sight,
  }
}

async function changedLately(db: Db, since: Seconds): Promise<PeopleChangesPayload> {
  const from = await revisionBefore(db, since)
  const { rev, groups_rev, people, gone } = await changesAfter(db, from, MOST_LISTED + 1, since)
  if (people.length + gone.length > MOST_LISTED)
    return { rev, from_rev: rev, people: [], gone: [], groups_rev }
  return { rev, from_rev: from, people, gone, groups_rev }
}

export async function peopleNamed(db: Db, names: Username[]): Promise<Map<Username, PersonPayload>> {
  if (names.length === 0) return new Map()
  const { rows } = await db.query<PersonPayload>(`select ${COLUMNS} from users where username = any($1)`, [
    [...new Set(names)],
  ])
  return new Map(rows.map(person => [person.username, person]))
}

/** The revision at a time; 0 before the first. */
async function revisionBefore(db: Db, time: Seconds): Promise<number> {
  const { rows } = await db.query<{ rev: number }>(
    `select greatest(
              0,
              (select rev from users where rev is not null and rev_ts <= $1 order by rev desc limit 1),
              (select rev from deleted_names where rev is not null and rev_ts <= $1 order by rev desc limit 1)) as rev`,
    [time],
  )
  return rows[0]!.rev
}

const NOW = 'extract(epoch from clock_timestamp())'

/** SQL: the status until its time; null without one. */
const STATUS = `
  case when (status_emoji is not null or status_text is not null) and coalesce(status_until > ${NOW}, true)
       then json_build_object('emoji', status_emoji, 'text', status_text, 'until', status_until, 'quiet', status_quiet)
  end`

const COLUMNS = `
  username, display_name, title, role, kind, state = 'active' as active, ${STATUS} as status, timezone`

/** In one statement, so that the revision is that of the rows. Includes people whose status ended after `endedFrom`. */
async function changesAfter(db: Db, from: number, most: number, endedFrom: Seconds): Promise<PeoplePayload> {
  const { rows } = await db.query<{
    rev: number
    groups_rev: number
    people: PersonPayload[] | null
    gone: string[] | null
  }>(
    `select greatest(0, (select max(rev) from users), (select max(rev) from deleted_names)) as rev,
            (select rev from groups_revision) as groups_rev,
            (select json_agg(person order by username)
               from (select ${COLUMNS}
                       from users
                      where (rev > $1 or status_until between $3 and ${NOW}) and state <> 'pending'
                      order by rev
                      limit $2) person
            ) as people,
            (select array_agg(username_key order by username_key)
               from (select username_key from deleted_names where rev > $1 order by rev limit $2) removed) as gone`,
    [from, most, endedFrom],
  )
  const { rev, groups_rev, people: changed, gone } = rows[0]!
  return { rev, people: changed ?? [], gone: gone ?? [], groups_rev }
}

interface ReadPeople extends PeoplePayload {
  isForGuest: boolean
  /** The newest end of a status, which changes the response without a revision. */
  ended: Seconds | null
}

/**
 * Returns everybody whom the viewer sees, by name; with the revision of an earlier response those changed after it. An
 * unknown revision counts as none. Guests always get everybody: whom they see changes without a revision.
 */
export async function readPeople(
  stores: Stores,
  viewer: Username,
  since: number | undefined,
): Promise<ReadPeople> {
  const ofGuest = (await sightsOfGuests(stores, [viewer], stores.clock.now(), 0)).get(viewer)
  if (ofGuest) return readForGuest(stores, ofGuest)
  const { rows } = await stores.db.query<
    Omit<ReadPeople, 'isForGuest' | 'people'> & { people: PersonPayload[] | null }
  >(
    `with latest as (
       select greatest(0, (select max(rev) from users), (select max(rev) from deleted_names)) as rev,
              (select max(status_until) from users where status_until <= ${NOW}) as ended
     )
     select latest.rev, latest.ended, (select rev from groups_revision) as groups_rev,
            (select json_agg(person)
               from (select ${COLUMNS}
                       from users
                      where state <> 'pending'
                        and ($1::bigint is null or $1 > latest.rev or users.rev > $1)
                      order by username_key) person) as people
       from latest`,
    [since ?? null],
  )
  const { rev, groups_rev, ended, people: found } = rows[0]!
  const gone = since === undefined || since > rev ? [] : await goneAfter(stores.db, since, rev)
  return { rev, people: found ?? [], gone, groups_rev, ended, isForGuest: false }
}

/** Revision and set were read first: whatever changes meanwhile comes with the next frame. */
async function readForGuest(stores: Stores, { viewer, rev, sight }: Sight): Promise<ReadPeople> {
  const seen = (await seenByGuests(stores, [viewer])).get(viewer)
  const { rows } = await stores.db.query<PersonPayload>(
    `select ${COLUMNS} from users where username = any($1) and state <> 'pending' order by username_key`,
    [[...(seen ?? [])]],
  )
  return { rev, people: rows, gone: [], groups_rev: 0, sight, ended: null, isForGuest: true }
}

async function goneAfter(db: Db, since: number, upTo: number): Promise<string[]> {
  const { rows } = await db.query<{ username_key: string }>(
    'select username_key from deleted_names where rev > $1 and rev <= $2 order by username_key',
    [since, upTo],
  )
  return rows.map(row => row.username_key)
}
