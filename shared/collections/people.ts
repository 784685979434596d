import { seenByGuests } from '#shared/access/visible-people.ts'
import type { PeopleChangesPayload, PeoplePayload, PersonPayload } from '#shared/domain/payloads.ts'
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
    const changes = await changedLately(stores)
    const guests = await seenByGuests(
      stores,
      viewers,
      changes.people.map(person => person.username),
    )
    return new Map(
      viewers.map(viewer => {
        const seen = guests.get(viewer)
        return [viewer, seen === undefined ? changes : changesFor(changes, seen)]
      }),
    )
  },

  /** Returns when a status ends, or the oldest listed change is listed no longer. */
  async changesAt({ db, clock }, viewers) {
    const now = clock.now()
    const { rows } = await db.query<{ next: Seconds | null }>(
      `select least((select min(rev_ts) from users where rev > $1) + $3,
                    (select min(rev_ts) from deleted_names where rev > $1) + $3,
                    (select min(status_until) from users where status_until between $2 - $3 and $2) + $3,
                    (select min(status_until) from users where status_until > $2)) as next`,
      [await revisionBefore(db, now - LISTED), now, LISTED],
    )
    const next = rows[0]?.next
    if (next == null) return new Map()
    return new Map(viewers.map(viewer => [viewer, next + 0.01]))
  },
}

/** Deletions are not told by name: the names of people whom the guest did not see would be among them. */
function changesFor(changes: PeopleChangesPayload, seen: ReadonlySet<Username>): PeopleChangesPayload {
  return {
    ...changes,
    from_rev: changes.gone.length > 0 ? changes.rev : changes.from_rev,
    people: changes.people.filter(person => seen.has(person.username)),
    gone: [],
    groups_rev: 0,
  }
}

async function changedLately({ db, clock }: Stores): Promise<PeopleChangesPayload> {
  const from = await revisionBefore(db, clock.now() - LISTED)
  const changes = await changesAfter(db, from, MOST_LISTED + 1, clock.now() - LISTED)
  const { rev, groups_rev, people, gone } = changes
  if (people.length + gone.length > MOST_LISTED)
    return { rev, from_rev: rev, people: [], gone: [], groups_rev }
  return { rev, from_rev: from, people, gone, groups_rev }
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
  const { rows } = await stores.db.query<
    Omit<ReadPeople, 'isForGuest' | 'people'> & { is_guest: boolean; people: PersonPayload[] | null }
  >(
    `with latest as (
       select greatest(0, (select max(rev) from users), (select max(rev) from deleted_names)) as rev,
              exists (select from users where username = $2 and role = 'guest') as is_guest,
              (select max(status_until) from users where status_until <= ${NOW}) as ended
     )
     select latest.rev, latest.is_guest, latest.ended,
            case when latest.is_guest then 0 else (select rev from groups_revision) end as groups_rev,
            (select json_agg(person)
               from (select ${COLUMNS}
                       from users
                      where state <> 'pending'
                        and ($1::bigint is null or latest.is_guest or $1 > latest.rev or users.rev > $1)
                      order by username_key) person) as people
       from latest`,
    [since ?? null, viewer],
  )
  const { rev, groups_rev, ended, is_guest: isForGuest, people: found } = rows[0]!
  const everybody = found ?? []
  if (isForGuest) {
    const seen = (await seenByGuests(stores, [viewer])).get(viewer)
    return {
      rev,
      people: everybody.filter(({ username }) => seen?.has(username)),
      gone: [],
      groups_rev,
      ended,
      isForGuest,
    }
  }
  const gone = since === undefined || since > rev ? [] : await goneAfter(stores.db, since, rev)
  return { rev, people: everybody, gone, groups_rev, ended, isForGuest }
}

async function goneAfter(db: Db, since: number, upTo: number): Promise<string[]> {
  const { rows } = await db.query<{ username_key: string }>(
    'select username_key from deleted_names where rev > $1 and rev <= $2 order by username_key',
    [since, upTo],
  )
  return rows.map(row => row.username_key)
}
