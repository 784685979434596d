/** The emoji of the workspace (interface 13.2), by name. */
import { signal } from '@preact/signals'
import type { CustomEmojiPayload } from '#shared/domain/payloads/messages.ts'
import { reducedMotion } from '../preferences/preferences.ts'

export const customEmoji = signal<ReadonlyMap<string, CustomEmojiPayload>>(new Map())

/** The address of the picture; the first frame for viewers who prefer reduced motion. */
export const emojiPicture = ({ url, animated }: CustomEmojiPayload) =>
  animated && reducedMotion.value ? `${url}&still=1` : url
