import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../i18n/i18n.ts'
import { plainText } from './one-line.ts'

/** The text of a message in one line without marks, else the name of its file. */
export const textOf = ({ content, extra }: Pick<MessagePayload, 'content' | 'extra'>) =>
  plainText(content ?? '') || (extra?.file?.name ?? strings.list.image)
