import { EMOJI_ALIASES, REACTION_EMOJI } from '#shared/domain/reaction-table.ts'

/** Reactions offered beside a message. */
export const QUICK = ['thumbsup', 'check', 'eyes', 'tada', 'heart'] as const

/** A reaction may also be an emoji character. The name of an emoji of the workspace is shown as a name. */
export const emojiOf = (reaction: string): string =>
  REACTION_EMOJI.get(reaction) ??
  EMOJI_ALIASES.get(reaction) ??
  (/^[\w+-]{2,}$/.test(reaction) ? `:${reaction}:` : reaction)
