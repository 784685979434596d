/**
 * Messages in the form of Slack's and Mattermost's incoming hooks, as a text with cards (interface 19). Pure: hooks, the
 * Slack API and importers use it.
 */
import type { MessageCard } from './payloads/messages.ts'
import { textOfBlocks } from './slack-blocks.ts'
import { fromMrkdwn, isAddress, linkTo } from './slack-text.ts'
import { type Fields, listIn, textIn } from './slack-values.ts'

const MOST_CARDS = 20
const MOST_FIELDS = 20
const LONGEST_NAME = 80

export interface SlackMessage {
  /** The text and the flattened cards, at most `longest` characters; empty: there is nothing to show. */
  content: string
  cards: MessageCard[]
  /** The character of `content` where the flattened cards begin. */
  cardsAt: number
  /** Parts that were left out. */
  dropped: number
  name?: string | undefined
  /** Without colons. */
  emoji?: string | undefined
  /** As named by the sender. */
  channel?: string | undefined
  threadTs?: string | undefined
  rootId?: string | undefined
  clientId?: string | undefined
}

interface Options {
  /** The message may mention everyone. */
  tellsEveryone: boolean
  /** Characters of a message. */
  longest: number
}

/** Throws an `InvalidPayload` for a wrong type in a field that counts. */
export function slackMessage(payload: Fields, { tellsEveryone, longest }: Options): SlackMessage {
  const blocks = textOfBlocks(listIn(payload, 'blocks'), tellsEveryone)
  const text = blocks.text || fromMrkdwn(textIn(payload, 'text') ?? '', tellsEveryone).trim()
  const attachments = listIn(payload, 'attachments')
  const made = attachments.slice(0, MOST_CARDS).map(one => cardOf(one, tellsEveryone))
  const name = textIn(payload, 'username')
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const dropped = [
    blocks.dropped,
    Math.max(0, attachments.length - MOST_CARDS),
    ...made.map(one => one.dropped),
    (name?.length ?? 0) > LONGEST_NAME ? 1 : 0,
  ]
  return {
    ...withCards(
      text,
      made.map(one => one.card).filter(card => flattened(card) !== ''),
      longest,
    ),
    dropped: dropped.reduce((sum, count) => sum + count, 0),
    name: name?.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '') || undefined,
    emoji: textIn(payload, 'icon_emoji')?.replace(/^:|:$/g, '') || undefined,
    channel: textIn(payload, 'channel'),
    threadTs: textIn(payload, 'thread_ts'),
    rootId: textIn(payload, 'root_id') ?? textIn(payload, 'reply_to_id'),
    clientId: textIn(payload, 'client_id'),
  }
}

/** A text followed by the lines of its cards, cut with “…”. */
export function withCards(
  text: string,
  cards: MessageCard[],
  longest: number,
): Pick<SlackMessage, 'content' | 'cards' | 'cardsAt'> {
  const whole = [text, ...cards.map(flattened)].filter(Boolean).join('\n\n')
  const content =
    whole.length > longest ? `${whole.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : whole
  const start = text === '' ? 0 : text.length + 2
  return { content, cards, cardsAt: Math.min(start, content.length) }
}

/** A line each in this order: pretext, author, title, text, fields, picture, links, footer. */
export function flattened(card: MessageCard): string {
  const { pretext, author, title, url, text, fields = [], image, links = [], footer } = card
  return [
    pretext,
    author,
    title && (url === undefined ? title : linkTo(url, title)),
    text,
    ...fields.map(field => [field.title && `*${field.title}*:`, field.value].filter(Boolean).join(' ')),
    image && linkTo(image, 'image'),
    ...links.map(link => linkTo(link.url, link.text)),
    footer,
  ]
    .filter(Boolean)
    .join('\n')
}

function cardOf(attachment: Fields, tellsEveryone: boolean): { card: MessageCard; dropped: number } {
  const converted = (name: string) => convertedIn(attachment, name, tellsEveryone)
  const addressIn = (name: string) => {
    const address = textIn(attachment, name)
    return address !== undefined && isAddress(address) ? address : undefined
  }
  const blocks = textOfBlocks(listIn(attachment, 'blocks'), tellsEveryone)
  const fields = listIn(attachment, 'fields')
  const { links, dropped } = linksOf(attachment, tellsEveryone)
  const card = present({
    color: colorOf(textIn(attachment, 'color')),
    pretext: converted('pretext'),
    author: converted('author_name'),
    author_url: addressIn('author_link'),
    title: converted('title'),
    url: addressIn('title_link'),
    text: blocks.text || converted('text'),
    fields: fields.slice(0, MOST_FIELDS).map(field => fieldOf(field, tellsEveryone)),
    image: addressIn('image_url') ?? addressIn('thumb_url'),
    footer: converted('footer'),
    ts: secondsOf(textIn(attachment, 'ts')),
    links,
  })
  const whole = flattened(card) === '' ? present({ ...card, text: converted('fallback') }) : card
  return { card: whole, dropped: dropped + blocks.dropped + Math.max(0, fields.length - MOST_FIELDS) }
}

function convertedIn(of: Fields, name: string, tellsEveryone: boolean): string | undefined {
  const text = textIn(of, name)
  return text === undefined ? undefined : fromMrkdwn(text, tellsEveryone).trim()
}

function fieldOf(field: Fields, tellsEveryone: boolean) {
  return present({
    title: convertedIn(field, 'title', tellsEveryone),
    value: convertedIn(field, 'value', tellsEveryone),
    short: field['short'] === true || field['short'] === 'true' ? true : undefined,
  })
}

/** Buttons with an address; those that call back are left out. */
function linksOf(
  attachment: Fields,
  tellsEveryone: boolean,
): { links: { text: string; url: string }[]; dropped: number } {
  const actions = listIn(attachment, 'actions')
  const links = actions.flatMap(action => {
    const url = textIn(action, 'url')
    if (url === undefined || !isAddress(url)) return []
    const words = convertedIn(action, 'text', tellsEveryone) ?? convertedIn(action, 'name', tellsEveryone)
    return [{ text: words || url, url }]
  })
  return { links: links.slice(0, MOST_FIELDS), dropped: actions.length - Math.min(links.length, MOST_FIELDS) }
}

/** Undefined for another form. */
function colorOf(color: string | undefined): string | undefined {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color ?? '')?.[1]?.toLowerCase()
  if (hex !== undefined) return `#${hex.length === 3 ? [...hex].map(one => one + one).join('') : hex}`
  return ['good', 'warning', 'danger'].find(one => one === color)
}

function secondsOf(ts: string | undefined): number | undefined {
  const seconds = ts === undefined ? Number.NaN : Number(ts)
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? seconds : undefined
}

/** Without absent keys and empty lists. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
