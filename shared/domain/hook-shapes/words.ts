/** Values of foreign programs as markup (interface 2.10) that mentions nobody. */
import type { MessageCard } from '../payloads/messages.ts'
import { fromMarkdown, isAddress, linkTo } from '../slack-text.ts'
import { type Fields, listIn, objectIn, textIn } from '../slack-values.ts'

const LONGEST_LINE = 200
const LONGEST_EXCERPT = 500

/** `path`: names with dots, such as `repository.owner.name`. */
export function textAt(fields: Fields, path: string): string | undefined {
  const names = path.split('.')
  const parent = objectAt(fields, names.slice(0, -1).join('.'))
  return parent && textIn(parent, names.at(-1)!)
}

export function objectAt(fields: Fields, path: string): Fields | undefined {
  let object: Fields | undefined = fields
  for (const name of path === '' ? [] : path.split('.')) object = object && objectIn(object, name)
  return object
}

export function listAt(fields: Fields, path: string): Fields[] {
  const names = path.split('.')
  const parent = objectAt(fields, names.slice(0, -1).join('.'))
  return parent ? listIn(parent, names.at(-1)!) : []
}

/** Text in one line without marks; characters of marks get a backslash, but not in addresses. */
export const plain = (text: string | undefined): string =>
  unmentioning(
    oneLine(text)
      .split(/(https?:\/\/[^\s<>"]+)/i)
      .map((part, at) => (at % 2 === 1 ? part : part.replace(MARK, '\\$&')))
      .join(''),
  )

/** An underscore within a word is no mark. A colon counts where an emoji may begin, a sharp where a channel may. */
const MARK = /[*~`[\]|\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=[a-z0-9_+-]{1,32}:)|#(?=\p{L})/gu

export const bold = (text: string | undefined): string => `*${plain(text) || 'Somebody'}*`

export const code = (text: string | undefined): string => {
  const words = unmentioning(oneLine(text).replaceAll('`', "'"))
  return words && `\`${words}\``
}

/** The words alone where the address is none. */
export function link(address: string | undefined, words: string | undefined): string {
  const line = oneLine(words)
  if (address === undefined || !isLinkable(address)) return plain(line)
  return linkTo(address, unmentioning(line.replace(/\\/g, '/')) || address)
}

/** The title of a card, which is words alone. */
export const heading = (text: string | undefined): string =>
  unmentioning(oneLine(text).replaceAll('\\', '/').replaceAll('`', "'"))

export const isLinkable = (address: string): boolean =>
  address.length <= 2_000 && isAddress(address) && URL.canParse(address)

/** The beginning of a text in Markdown. */
export function excerpt(markdown: string | undefined): string | undefined {
  const text = (markdown ?? '').slice(0, LONGEST_EXCERPT * 2).trim()
  if (text === '') return undefined
  const shown = unmentioning(fromMarkdown(cut(text, LONGEST_EXCERPT), false))
  const isOpen = (shown.split('```').length - 1) % 2 === 1
  return isOpen ? `${shown}\n\`\`\`` : shown
}

/** Words in one line, without the empty ones. */
export const line = (...parts: (string | undefined | false)[]): string => parts.filter(Boolean).join(' ')

export const lines = (...parts: (string | undefined | false)[]): string => parts.filter(Boolean).join('\n')

/** Without absent keys and empty lists. */
export const card = (fields: { [K in keyof MessageCard]: MessageCard[K] | undefined }): MessageCard =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** Undefined for an address that may not be a link. */
export const addressOf = (address: string | undefined): string | undefined =>
  address !== undefined && isLinkable(address) ? address : undefined

/** `2 commits`, `1 commit`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The first of a list, a line each, and how many more there are. */
export function listed<T>(list: readonly T[], most: number, show: (one: T) => string, total = list.length) {
  const shown = list.slice(0, most).map(show)
  const more = Math.max(total, list.length) - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

export const keyOf = (...parts: (string | undefined)[]): string =>
  parts.map(part => (part ?? '').slice(0, 1_000)).join(' ')

/** The mark of a name is followed by an invisible character. */
export const unmentioning = (text: string): string => text.replace(/@(?=[A-Za-z0-9_-])/g, '@\u2060')

const oneLine = (text: string | undefined): string =>
  cut(
    (text ?? '')
      .slice(0, LONGEST_LINE * 2)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    LONGEST_LINE,
  )

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
