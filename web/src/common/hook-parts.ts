import type { ComponentChildren, FunctionComponent } from 'preact'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { part } from '../ui/part.ts'

interface HookParts {
  /** The text of a message and its cards. */
  WithCards: FunctionComponent<{ row: MessagePayload; children?: ComponentChildren }>
  /** An emoji in the place of a picture. */
  HookSign: FunctionComponent<{ emoji: string; bot: string }>
}

/** How messages of hooks are drawn. Not by the type of the module, which is above this folder. */
export const hookParts = part<HookParts>()
