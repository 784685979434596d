import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface EmojiRow {
  name: string
  file: string
  animated: boolean
  created_by: Username | null
}

/** All emoji by name, at most `MOST_EMOJI`. */
export async function allEmoji(db: Db): Promise<EmojiRow[]> {
  const { rows } = await db.query<EmojiRow>(
    'select name, file, animated, created_by from custom_emoji order by name',
  )
  return rows
}

export async function findEmoji(db: Db, name: string): Promise<EmojiRow | undefined> {
  const { rows } = await db.query<EmojiRow>(
    'select name, file, animated, created_by from custom_emoji where name = $1',
    [name],
  )
  return rows[0]
}

/** Locks the list until the end of the transaction, which changes it. */
export async function lockEmoji(tx: Db): Promise<void> {
  await tx.query('update emoji_revision set rev = rev + 1')
}

export async function countEmoji(tx: Db): Promise<number> {
  const { rows } = await tx.query<{ count: number }>('select count(*) as count from custom_emoji')
  return rows[0]!.count
}

export async function insertEmoji(tx: Db, emoji: EmojiRow, now: Seconds): Promise<void> {
  await tx.query(
    'insert into custom_emoji (name, file, animated, created_by, created_ts) values ($1, $2, $3, $4, $5)',
    [emoji.name, emoji.file, emoji.animated, emoji.created_by, now],
  )
}

export async function deleteEmoji(tx: Db, name: string): Promise<void> {
  await tx.query('delete from custom_emoji where name = $1', [name])
}

/** Whether an emoji of this name exists, and whether the person has reacted to the message with it. */
export async function findReaction(
  db: Db,
  { name, message, reactor }: { name: string; message: number; reactor: Username },
): Promise<{ exists: boolean; isOwn: boolean }> {
  const { rows } = await db.query<{ exists: boolean; isOwn: boolean }>(
    `select exists (select from custom_emoji where name = $1) as exists,
            exists (select from reactions where message_id = $2 and emoji = $1 and username = $3) as "isOwn"`,
    [name, message, reactor],
  )
  return rows[0]!
}
