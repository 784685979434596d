import * as v from 'valibot'
import { publicChannelsSql } from '#shared/access/public-channels.ts'
import type { RetentionPreview } from '#shared/domain/payloads/administration.ts'
import { isUsable, takenBy } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import * as f from '../../middleware/fields.ts'

const SETTINGS = ['retention_days', 'retention_max_gb', 'audit_retention_days'] as const

/** The query of GET /admin/retention. */
export const WISH = v.pipe(
  f.fields({
    setting: v.picklist(SETTINGS, f.invalid(SETTINGS.join(' or '))),
    value: v.pipe(
      v.optional(v.unknown(), null),
      v.transform(text => (/^\d{1,9}(\.\d{1,6})?$/.test(String(text)) ? Number(text) : Number.NaN)),
    ),
  }),
  v.check(
    ({ setting, value }) => isUsable(setting, value),
    ({ input: { setting } }) => `invalid: ${setting} takes ${takenBy(setting)}`,
  ),
)
type Wish = v.InferOutput<typeof WISH>

export async function previewRetention(stores: Stores, { setting, value }: Wish): Promise<RetentionPreview> {
  if (value === 0) return { messages: 0, files: 0, bytes: 0, entries: 0, channels: [] }
  const now = stores.clock.now()
  if (setting === 'audit_retention_days')
    return { ...totalOf([]), entries: await entriesBefore(stores, now - value * DAY), channels: [] }
  const channels =
    setting === 'retention_days'
      ? await messagesBefore(stores, now - value * DAY)
      : await filesBeyond(stores, value * GIB)
  return { ...totalOf(channels), entries: 0, channels }
}

const DAY = 24 * 3600
const GIB = 1024 ** 3

type Channels = RetentionPreview['channels']

/** Positions per block of `gone_messages`. */
const BLOCK = 2048

/**
 * As the janitor trims by age. Reads one message per channel, and the files: the messages up to its place, less those
 * that were trimmed, deleted or removed (0001_baseline.sql).
 */
async function messagesBefore({ db, settings }: Stores, before: number): Promise<Channels> {
  const { rows } = await db.query<Channels[number]>(
    `with file as materialized (
       select message.channel, count(*) as files, coalesce(sum(files.bytes), 0) as bytes
         from messages message
         left join files on files.name = message.filename
        where message.filename is not null and message.ts < $2
        group by message.channel
     )
     select public.channel, sum(old.messages)::integer as messages,
            coalesce(sum(file.files), 0)::integer as files, coalesce(sum(file.bytes), 0)::bigint as bytes
       from channels channel
      cross join lateral (
            select ord from messages where channel = channel.id and ts < $2 order by ts desc limit 1) last
      cross join lateral (
            select last.ord - channel.trimmed_ord - coalesce(sum(bit_count(substring(
                     gone.bits
                     from greatest(channel.trimmed_ord - gone.block * ${BLOCK}, 0)::integer + 1
                      for (least(last.ord - gone.block * ${BLOCK}, ${BLOCK})
                           - greatest(channel.trimmed_ord - gone.block * ${BLOCK}, 0))::integer))), 0) as messages
              from gone_messages gone
             where gone.channel = channel.id
               and gone.block between channel.trimmed_ord / ${BLOCK} and (last.ord - 1) / ${BLOCK}) old
       left join file on file.channel = channel.id
       left join (${publicChannelsSql('$1')}) public on public.channel = channel.id
      where old.messages > 0
      group by public.channel
      order by messages desc, public.channel`,
    [settings.current.channels, before],
  )
  return rows
}

/** As the janitor trims by size: the oldest files until the rest fits. Their messages become tombstones. */
async function filesBeyond({ db, settings }: Stores, most: number): Promise<Channels> {
  const { rows } = await db.query<Channels[number]>(
    `with file as (
       select message.channel, coalesce(files.bytes, 0) as bytes,
              sum(coalesce(files.bytes, 0)) over (order by message.ts desc, message.id desc) as with_newer
         from messages message
         left join files on files.name = message.filename
        where message.filename is not null
     )
     select public.channel, count(*)::integer as messages, count(*)::integer as files, sum(bytes)::bigint as bytes
       from file
       left join (${publicChannelsSql('$1')}) public on public.channel = file.channel
      where with_newer > $2
      group by public.channel
      order by bytes desc, public.channel`,
    [settings.current.channels, most],
  )
  return rows
}

async function entriesBefore({ db }: Stores, before: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from audit_log where ts < $1',
    [before],
  )
  return rows[0]!.count
}

function totalOf(channels: Channels) {
  const total = { messages: 0, files: 0, bytes: 0 }
  for (const { messages, files, bytes } of channels) {
    total.messages += messages
    total.files += files
    total.bytes += bytes
  }
  return total
}
