/** The texts of a card as rows that can be drawn. Pure. */
import type { MessageCard, MessagePayload } from '#shared/domain/payloads/messages.ts'

interface CardRows {
  pretext: MessagePayload | undefined
  text: MessagePayload | undefined
  /** As long as the fields of the card; undefined for an empty one. */
  fields: (MessagePayload | undefined)[]
}

const texts = new WeakMap<MessagePayload, MessagePayload>()
const rows = new WeakMap<MessageCard, { of: MessagePayload; rows: CardRows }>()

/** The message without the flattened lines of its cards. Returns the same object for the same row. */
export function textBefore(row: MessagePayload): MessagePayload {
  const known = texts.get(row)
  if (known) return known
  const text = { ...row, content: (row.content ?? '').slice(0, row.extra?.cards_at ?? 0).trimEnd() }
  texts.set(row, text)
  return text
}

/** Texts of a card, each as a row that mentions whom the message mentions. Returns the same objects for the same card. */
export function cardRows(row: MessagePayload, card: MessageCard): CardRows {
  const known = rows.get(card)
  if (known?.of === row) return known.rows
  const rowOf = (content: string | undefined) => (content ? { ...row, content } : undefined)
  const made = {
    pretext: rowOf(card.pretext),
    text: rowOf(card.text),
    fields: (card.fields ?? []).map(field => rowOf(field.value)),
  }
  rows.set(card, { of: row, rows: made })
  return made
}

const NAMED = new Map([
  ['good', 'var(--c-ok)'],
  ['warning', 'var(--c-attn-line)'],
  ['danger', 'var(--c-danger)'],
])

/** Undefined for a colour that is neither hexadecimal nor one of the three words. */
export const colorOfCard = (color: string | undefined): string | undefined =>
  color !== undefined && /^#[0-9a-f]{6}$/i.test(color) ? color : NAMED.get(color ?? '')

/** Checked by the server too. */
export const isLinkable = (url: string | undefined): url is string =>
  url !== undefined && /^(https?:\/\/|mailto:)/i.test(url)
