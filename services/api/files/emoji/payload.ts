import type { CustomEmojiPayload } from '#shared/domain/payloads/messages.ts'
import type { EmojiRow } from './queries.ts'

/** The address names the stored file, so that browsers may keep the picture for ever. */
export const payloadOf = ({ name, file, animated, created_by }: EmojiRow): CustomEmojiPayload => ({
  name,
  url: `/emoji/${encodeURIComponent(name)}?v=${revisionOf(file)}`,
  animated,
  created_by,
})

/** Digits of a stored name: enough to tell pictures of one name apart. */
export const revisionOf = (file: string): string => file.slice('emoji-'.length, 'emoji-'.length + 12)
