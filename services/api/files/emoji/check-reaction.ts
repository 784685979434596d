import { isEmojiName } from '#shared/domain/custom-emoji.ts'
import { isReaction, reactionKey } from '#shared/domain/reactions.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { findReaction } from './queries.ts'

/**
 * Throws for what is no reaction. Returns its key and what the request may do: a reaction with the name of a removed emoji can
 * only be taken back.
 */
export async function checkReaction(
  db: Db,
  reaction: string,
  { message, reactor, wanted }: { message: number; reactor: Username; wanted: boolean | undefined },
): Promise<{ key: string; wanted: boolean | undefined }> {
  if (isReaction(reaction)) return { key: reactionKey(reaction), wanted }
  if (!isEmojiName(reaction)) throw errors.invalidReaction()
  const { exists, isOwn } = await findReaction(db, { name: reaction, message, reactor })
  if (exists) return { key: reaction, wanted }
  if (!isOwn || wanted === true) throw errors.invalidReaction()
  return { key: reaction, wanted: false }
}
