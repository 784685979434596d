import { isEmojiName } from '#shared/domain/custom-emoji.ts'
import { isReaction } from '#shared/domain/reactions.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { findReaction } from './queries.ts'

/**
 * Throws for what is no reaction. Returns what the request may do: a reaction with the name of a removed emoji can only
 * be taken back.
 */
export async function checkReaction(
  db: Db,
  reaction: string,
  { message, reactor, wanted }: { message: number; reactor: Username; wanted: boolean | undefined },
): Promise<boolean | undefined> {
  if (isReaction(reaction)) return wanted
  if (!isEmojiName(reaction)) throw errors.invalidReaction()
  const { exists, isOwn } = await findReaction(db, { name: reaction, message, reactor })
  if (exists) return wanted
  if (!isOwn || wanted === true) throw errors.invalidReaction()
  return false
}
