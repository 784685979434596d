/** Block Kit as text: a paragraph a block. Pure. */
import { fromMarkdown, fromMrkdwn, isAddress, linkTo } from './slack-text.ts'
import { type Fields, listIn, objectIn, textIn } from './slack-values.ts'

const MOST_BLOCKS = 50

export interface BlocksText {
  text: string
  /** Parts that were left out. */
  dropped: number
}

export function textOfBlocks(blocks: readonly Fields[], tellsEveryone: boolean): BlocksText {
  const writer = new BlockWriter(tellsEveryone)
  const paragraphs = blocks.slice(0, MOST_BLOCKS).map(block => writer.block(block))
  const text = paragraphs
    .filter(one => one !== undefined)
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return { text, dropped: writer.dropped + Math.max(0, blocks.length - MOST_BLOCKS) }
}

class BlockWriter {
  dropped = 0
  readonly #tellsEveryone: boolean

  constructor(tellsEveryone: boolean) {
    this.#tellsEveryone = tellsEveryone
  }

  /** Undefined for a block that is left out. */
  block(block: Fields): string | undefined {
    switch (block['type']) {
      case 'header':
        return bold(this.#text(objectIn(block, 'text')))
      case 'section':
        return this.#section(block)
      case 'context':
        return lines(
          ' ',
          listIn(block, 'elements').map(one => this.#element(one)),
        )
      case 'actions':
        return lines(
          ' ',
          listIn(block, 'elements').map(one => this.#element(one)),
        )
      case 'rich_text':
        return lines(
          '\n',
          listIn(block, 'elements').map(one => this.#rich(one)),
        )
      case 'markdown':
        return fromMarkdown(textIn(block, 'text') ?? '', this.#tellsEveryone)
      case 'image':
        return this.#picture(block)
      case 'divider':
        return ''
      default:
        return this.#other(block)
    }
  }

  #section(block: Fields): string | undefined {
    const accessory = objectIn(block, 'accessory')
    return lines('\n', [
      this.#text(objectIn(block, 'text')),
      ...listIn(block, 'fields').map(field => this.#text(field)),
      accessory && this.#element(accessory),
    ])
  }

  /** A text object, a picture, or a control with an address. */
  #element(element: Fields): string | undefined {
    switch (element['type']) {
      case 'plain_text':
      case 'mrkdwn':
        return this.#text(element)
      case 'image':
        return this.#picture(element)
      case 'button':
        return this.#control(element)
      case 'overflow':
        return lines(
          ' ',
          listIn(element, 'options').map(option => this.#control(option)),
        )
      default:
        return this.#drop()
    }
  }

  /** Its words are a link; without an address there is nothing to press. */
  #control(control: Fields): string | undefined {
    const address = textIn(control, 'url')
    if (address === undefined || !isAddress(address)) return this.#drop()
    return linkTo(address, this.#text(objectIn(control, 'text')))
  }

  #picture(picture: Fields): string | undefined {
    const address = textIn(picture, 'image_url')
    const title = objectIn(picture, 'title')
    const words = fromMarkdown(
      textIn(picture, 'alt_text') ?? (title && textIn(title, 'text')) ?? '',
      this.#tellsEveryone,
    )
    return address !== undefined && isAddress(address) ? linkTo(address, words) : words || this.#drop()
  }

  #text(object: Fields | undefined): string | undefined {
    const text = object && textIn(object, 'text')
    if (text === undefined) return undefined
    return object?.['type'] === 'mrkdwn'
      ? fromMrkdwn(text, this.#tellsEveryone)
      : fromMarkdown(text, this.#tellsEveryone)
  }

  #other(block: Fields): string | undefined {
    const { text } = block
    if (typeof text === 'string') return fromMarkdown(text, this.#tellsEveryone)
    const words = typeof text === 'object' ? this.#text(objectIn(block, 'text')) : undefined
    return words ?? this.#drop()
  }

  #rich(element: Fields): string | undefined {
    switch (element['type']) {
      case 'rich_text_list':
        return this.#list(element)
      case 'rich_text_quote':
        return this.#inlines(element).replace(/^/gm, '> ')
      case 'rich_text_preformatted':
        return fenced(this.#plain(element))
      case 'rich_text_section':
        return this.#inlines(element)
      default:
        return this.#drop()
    }
  }

  #list(element: Fields): string {
    const isOrdered = element['style'] === 'ordered'
    const indent = '  '.repeat(Math.min(Math.max(Math.trunc(Number(element['indent'] ?? 0)) || 0, 0), 8))
    return listIn(element, 'elements')
      .map((item, at) => `${indent}${isOrdered ? `${at + 1}.` : '-'} ${this.#inlines(item)}`)
      .join('\n')
  }

  #inlines = (element: Fields): string =>
    listIn(element, 'elements')
      .map(one => marked(this.#inline(one), objectIn(one, 'style')))
      .join('')

  /** Words and addresses alone, for code. */
  #plain = (element: Fields): string =>
    listIn(element, 'elements')
      .map(one => textIn(one, 'text') ?? textIn(one, 'url') ?? '')
      .join('')

  #inline(one: Fields): string {
    switch (one['type']) {
      case 'text':
        return fromMarkdown(textIn(one, 'text') ?? '', this.#tellsEveryone)
      case 'link': {
        const address = textIn(one, 'url') ?? ''
        const words = fromMarkdown(textIn(one, 'text') ?? '', this.#tellsEveryone)
        return isAddress(address) ? linkTo(address, words) : words || address
      }
      case 'user':
        return fromMarkdown(`@${textIn(one, 'user_id') ?? ''}`, this.#tellsEveryone)
      case 'usergroup':
        return fromMarkdown(`@${textIn(one, 'usergroup_id') ?? ''}`, this.#tellsEveryone)
      case 'channel':
        return `#${textIn(one, 'channel_id') ?? ''}`
      case 'emoji':
        return `:${textIn(one, 'name') ?? ''}:`
      case 'broadcast':
        return this.#tellsEveryone ? '@everyone' : 'everyone'
      case 'date':
        return fromMarkdown(textIn(one, 'fallback') ?? '', this.#tellsEveryone)
      default: {
        const words = textIn(one, 'text') ?? textIn(one, 'value') ?? this.#drop() ?? ''
        return fromMarkdown(words, this.#tellsEveryone)
      }
    }
  }

  #drop(): undefined {
    this.dropped++
    return undefined
  }
}

const lines = (gap: string, parts: (string | undefined)[]): string | undefined => {
  const shown = parts.filter(Boolean)
  return shown.length > 0 ? shown.join(gap) : undefined
}

const bold = (text: string | undefined) => text && `*${text.replaceAll('*', '').trim()}*`

const fenced = (text: string) => `\`\`\`\n${text.replaceAll('```', "'''")}\n\`\`\``

const MARKS = [
  ['code', '`'],
  ['strike', '~'],
  ['italic', '_'],
  ['bold', '*'],
] as const

/** Marks stand at the words: outside there is white space. */
function marked(text: string, style: Fields | undefined): string {
  if (!style || text.trim() === '') return text
  const words = text.trim()
  const within = MARKS.reduce(
    (inner, [name, mark]) => (style[name] === true ? mark + inner + mark : inner),
    words,
  )
  const from = text.indexOf(words)
  return text.slice(0, from) + within + text.slice(from + words.length)
}
