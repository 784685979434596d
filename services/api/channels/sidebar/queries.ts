import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { ChannelLevel } from '#shared/domain/channel-level.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** False for a DM without messages, which is not stored: anybody could name any number of them. */
export async function isStored(db: Db, viewer: Username, channel: ReadableChannel): Promise<boolean> {
  if (channel.kind !== 'dm') return true
  const { rowCount } = await db.query('select from dm_participants where username = $1 and channel = $2', [
    viewer,
    channel.id,
  ])
  return rowCount === 1
}

/** A person's choices for a channel; `until` is null to end a mute, Infinity for ever. */
export interface Choices {
  level?: ChannelLevel
  mutedUntil?: Seconds | null
  favourite?: boolean
  /** null: the usual place. */
  section?: number | null
}

/** Returns whether anything changed. Moving to another group forgets the position. */
export async function choose(
  db: Db,
  viewer: Username,
  channel: ChannelId,
  { level, mutedUntil, favourite, section }: Choices,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into channel_prefs as prefs (username, channel, level, muted_until, favourite, section_id)
     values ($1, $2, coalesce($3, 'default'), $5, coalesce($6, false), $8)
     on conflict (username, channel) do update
        set level = coalesce($3, prefs.level),
            muted_until = case when $4 then $5 else prefs.muted_until end,
            favourite = coalesce($6, prefs.favourite),
            section_id = case when $7 then $8 else prefs.section_id end,
            position = case when prefs.favourite = coalesce($6, prefs.favourite)
                             and (not $7 or prefs.section_id is not distinct from $8) then prefs.position end
      where (prefs.level, prefs.muted_until, prefs.favourite, prefs.section_id)
            is distinct from
            (coalesce($3, prefs.level), case when $4 then $5 else prefs.muted_until end,
             coalesce($6, prefs.favourite), case when $7 then $8 else prefs.section_id end)`,
    [
      viewer,
      channel,
      level ?? null,
      mutedUntil !== undefined,
      mutedUntil ?? null,
      favourite ?? null,
      section !== undefined,
      section ?? null,
    ],
  )
  return rowCount === 1
}

/**
 * Places a channel before another one of the same group (favourites, a section, or the usual place). A channel without a
 * position stands behind those that have one. The rows of the person are locked by their account.
 */
export async function placeBefore(
  tx: Db,
  viewer: Username,
  channel: ChannelId,
  before: ChannelId,
): Promise<void> {
  await tx.query(
    `insert into channel_prefs (username, channel)
     select $1, channel from unnest($2::text[]) as channel
     on conflict do nothing`,
    [viewer, [channel, before]],
  )
  await tx.query(
    `with own as (
       select favourite, section_id from channel_prefs where username = $1 and channel = $2
     ), others as (
       select prefs.channel, prefs.position
         from channel_prefs prefs
         join own on own.favourite = prefs.favourite
                 and (own.favourite or own.section_id is not distinct from prefs.section_id)
        where prefs.username = $1
          and prefs.channel <> $2
          and (prefs.position is not null or prefs.channel = $3)
     ), target as (
       select position from others where channel = $3
     ), placed as (
       select channel,
              2 * row_number() over (order by position nulls last) as place
         from others
     ), numbered as (
       select channel, row_number() over (order by place) as position
         from (select channel, place from placed
               union all
               select $2, place - 1 from placed where channel = $3) wanted
     )
     update channel_prefs prefs
        set position = numbered.position
       from numbered
      where prefs.username = $1 and prefs.channel = numbered.channel`,
    [viewer, channel, before],
  )
}

/** Numbers the channels of the same group (as in `placeBefore`) in this order, and skips those of another one. */
export async function placeInOrder(
  tx: Db,
  viewer: Username,
  channel: ChannelId,
  order: readonly ChannelId[],
): Promise<void> {
  await tx.query(
    `insert into channel_prefs (username, channel)
     select $1, channel from unnest($2::text[]) as channel
     on conflict do nothing`,
    [viewer, order],
  )
  await tx.query(
    `update channel_prefs prefs
        set position = wanted.position
       from channel_prefs own,
            (select channel, min(position) as position
               from unnest($3::text[]) with ordinality as listed (channel, position)
              group by channel) wanted
      where own.username = $1
        and own.channel = $2
        and prefs.username = $1
        and prefs.channel = wanted.channel
        and prefs.favourite = own.favourite
        and (own.favourite or prefs.section_id is not distinct from own.section_id)`,
    [viewer, channel, order],
  )
}

export async function forgetPosition(tx: Db, viewer: Username, channel: ChannelId): Promise<void> {
  await tx.query('update channel_prefs set position = null where username = $1 and channel = $2', [
    viewer,
    channel,
  ])
}

export async function hasSection(db: Db, viewer: Username, id: number): Promise<boolean> {
  const { rowCount } = await db.query('select from sidebar_sections where username = $1 and id = $2', [
    viewer,
    id,
  ])
  return rowCount === 1
}

/** Undefined if the person has `most` sections already. */
export async function insertSection(
  tx: Db,
  viewer: Username,
  name: string,
  collapsed: boolean,
  most: number,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into sidebar_sections (username, name, position, collapsed)
     select $1, $2, coalesce(max(position), 0) + 1, $3
       from sidebar_sections
      where username = $1
     having count(*) < $4
     returning id`,
    [viewer, name, collapsed, most],
  )
  return rows[0]?.id
}

/** Returns whether anything changed. */
export async function updateSection(
  tx: Db,
  viewer: Username,
  id: number,
  { name, collapsed }: { name?: string; collapsed?: boolean },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update sidebar_sections
        set name = coalesce($3, name), collapsed = coalesce($4, collapsed)
      where username = $1 and id = $2
        and (name, collapsed) is distinct from (coalesce($3, name), coalesce($4, collapsed))`,
    [viewer, id, name ?? null, collapsed ?? null],
  )
  return rowCount === 1
}

/** Places a section before another one, or last. */
export async function moveSection(
  tx: Db,
  viewer: Username,
  id: number,
  before: number | null,
): Promise<void> {
  await tx.query(
    `update sidebar_sections section
        set position = numbered.position
       from (select id, row_number() over (order by place) as position
               from (select id, 2 * row_number() over (order by position, id) as place
                       from sidebar_sections
                      where username = $1 and id <> $2
                     union all
                     select $2, coalesce((
                              select before.place - 1
                                from (select id, 2 * row_number() over (order by position, id) as place
                                        from sidebar_sections
                                       where username = $1 and id <> $2) before
                               where before.id = $3), 1000)) wanted) numbered
      where section.username = $1 and section.id = numbered.id`,
    [viewer, id, before],
  )
}

export async function deleteSection(db: Db, viewer: Username, id: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `with forgotten as (
       update channel_prefs set position = null where username = $1 and section_id = $2
     )
     delete from sidebar_sections where username = $1 and id = $2`,
    [viewer, id],
  )
  return rowCount === 1
}
