import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'

/** Reactions offered beside a message. */
export const QUICK = ['thumbsup', 'check', 'eyes', 'tada', 'heart'] as const

/** A reaction may also be an emoji character. */
export const emojiOf = (reaction: string): string => REACTION_EMOJI.get(reaction) ?? reaction
