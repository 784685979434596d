/**
 * Turns pasted HTML of word processors, mails, pages, spreadsheets and other chats into the marks of texts
 * (interface 2.10). Reads an inert document: nothing in it is loaded or run.
 */

/** Returns the text with marks, or undefined if it would be no richer than the plain text. */
export function markupOf(html: string): string | undefined {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const one of body.querySelectorAll('style, script, template, title, meta, link')) one.remove()
  if (!body.querySelector(RICH) && ![...body.querySelectorAll<HTMLElement>('span, font, p')].some(isBold))
    return undefined
  const text = blocksIn(body)
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? undefined : text
}

const RICH =
  'a[href], b, strong, i, em, s, del, strike, li, td, pre, code, blockquote, h1, h2, h3, h4, h5, h6, [class*="MsoList"]'
const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table ul'.split(
    ' ',
  ),
)
const nameOf = (node: Node) => node.nodeName.toLowerCase()
const isBlock = (node: Node) => BLOCKS.has(nameOf(node))

/** The blocks of an element, one below the other; paragraphs are apart by an empty line. */
function blocksIn(element: Element): string {
  const parts: { text: string; apart: boolean }[] = []
  let line = ''
  const endLine = () => {
    if (line.trim() !== '') parts.push({ text: tidy(line), apart: false })
    line = ''
  }
  for (const node of element.childNodes) {
    // A wrapper without meaning, such as the <b> around everything that Google Docs copies.
    const inside = node instanceof Element && !isBlock(node) && [...node.querySelectorAll('*')].some(isBlock)
    if (inside || isBlock(node)) {
      endLine()
      const text = inside ? blocksIn(node as Element) : blockOf(node as Element)
      if (text.trim() !== '' || nameOf(node) === 'pre') parts.push({ text, apart: isApart(node as Element) })
    } else line += inlineOf(node)
  }
  endLine()
  return parts
    .map(({ text, apart }, at) => (at === 0 ? '' : apart || parts[at - 1]!.apart ? '\n\n' : '\n') + text)
    .join('')
}

/** Word and Outlook mark the paragraphs of a list by their class. */
const isWordItem = (one: Element) => /MsoList/i.test(one.className)
const isApart = (one: Element) =>
  /^(?:p|h\d|pre|table|blockquote)$/.test(nameOf(one)) && !isWordItem(one) && !one.closest('li, td, th')

function blockOf(element: Element): string {
  switch (nameOf(element)) {
    case 'hr':
      return ''
    case 'pre':
      return `\`\`\`\n${element.textContent!.replace(/\n$/, '')}\n\`\`\``
    case 'blockquote':
      return prefixed(blocksIn(element), '> ')
    case 'ul':
    case 'ol':
      return listOf(element)
    case 'table':
      return tableOf(element as HTMLTableElement)
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return wrapped(tidy(inlinesIn(element)).replaceAll('*', ''), '*')
    default:
      return isWordItem(element) ? wordItem(element as HTMLElement) : blocksIn(element)
  }
}

const prefixed = (text: string, mark: string) =>
  text
    .split('\n')
    .map(line => mark + line)
    .join('\n')

function listOf(list: Element): string {
  let number = Number(list.getAttribute('start') ?? 1)
  const lines: string[] = []
  for (const item of list.children) {
    // Google Docs and Slack put a nested list beside the items.
    if (/^[uo]l$/.test(nameOf(item))) lines.push(prefixed(listOf(item), '  '))
    if (nameOf(item) !== 'li') continue
    number = Number(item.getAttribute('value') ?? number)
    const mark = nameOf(list) === 'ol' ? `${number++}. ` : '- '
    // Slack has the level of an item in an attribute.
    const level = '  '.repeat(Math.min(Number(item.getAttribute('data-stringify-indent') ?? 0), 5))
    lines.push(level + mark + blocksIn(item).replaceAll(/\n+/g, `\n${level}  `))
  }
  return lines.join('\n')
}

function wordItem(item: HTMLElement): string {
  const style = item.getAttribute('style') ?? ''
  const level = Number(/level(\d)/.exec(style)?.[1] ?? 1) - 1
  const marker = [...item.querySelectorAll('span')].find(one =>
    /mso-list:\s*Ignore/i.test(one.getAttribute('style') ?? ''),
  )
  const number = /^\s*(\d{1,9})[.)]/.exec(marker?.textContent ?? '')?.[1]
  marker?.remove()
  return `${'  '.repeat(level)}${number ? `${number}. ` : '- '}${tidy(inlinesIn(item)).replace(/^[·•o§]\s+/u, '')}`
}

/** A table of cells; a table for layout, as mails have it, is the blocks of its cells. */
function tableOf(table: HTMLTableElement): string {
  const rows = [...table.rows].filter(row => row.closest('table') === table).map(row => [...row.cells])
  const width = Math.max(...rows.map(row => row.length), 0)
  const isLayout = width < 2 || rows.length < 2 || table.querySelector('table, ul, ol, pre, blockquote')
  if (isLayout)
    return rows
      .flatMap(row => row.map(blocksIn))
      .filter(text => text.trim() !== '')
      .join('\n')
  const lines = rows.map(row =>
    Array.from({ length: width }, (_, at) =>
      (row[at] ? tidy(blocksIn(row[at]).replaceAll('\n', ' ')) : '').replaceAll('|', '\\|'),
    ),
  )
  const rule = Array.from({ length: width }, (_, at) => {
    const cells = lines
      .slice(1)
      .map(line => line[at]!)
      .filter(Boolean)
    return cells.length > 0 && cells.every(cell => /^[-+]?[\d.,\s]+[%€$£]?$/.test(cell)) ? '-:' : '-'
  })
  return [lines[0]!, rule, ...lines.slice(1)].map(line => `| ${line.join(' | ')} |`).join('\n')
}

const inlinesIn = (element: Node): string => [...element.childNodes].map(inlineOf).join('')

function inlineOf(node: Node): string {
  if (node instanceof Text) return plain(node.data)
  if (!(node instanceof HTMLElement)) return ''
  switch (nameOf(node)) {
    case 'br':
      return '\n'
    case 'img':
      return node.getAttribute('alt') && node.closest('a') ? plain(node.getAttribute('alt')!) : ''
    case 'code':
    case 'kbd':
    case 'tt':
      return wrapped(node.textContent!.replaceAll('`', "'"), '`')
    case 'a':
      return linkOf(node as HTMLAnchorElement)
    case 's':
    case 'del':
    case 'strike':
      return wrapped(inlinesIn(node), '~')
    default: {
      const inside = inlinesIn(node)
      const slanted = isSlanted(node) ? wrapped(inside, '_') : inside
      return isBold(node) ? wrapped(slanted, '*') : slanted
    }
  }
}

function isBold(node: HTMLElement) {
  const weight = styleOf(node, 'font-weight')
  if (weight !== undefined) return weight === 'bold' || Number(weight) >= 600
  return /^(?:b|strong)$/.test(nameOf(node))
}

function isSlanted(node: HTMLElement) {
  const style = styleOf(node, 'font-style')
  return style !== undefined ? style === 'italic' : /^(?:i|em)$/.test(nameOf(node))
}

/** From the attribute: the policy of the page keeps inline styles of a parsed document from its elements. */
function styleOf(node: HTMLElement, property: string): string | undefined {
  const style = node.getAttribute('style')
  return style
    ? new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([\\w-]+)`, 'i').exec(style)?.[1]?.toLowerCase()
    : undefined
}

/** The address as written; a link to a part of the copied page has lost its page. */
function linkOf(link: HTMLAnchorElement): string {
  const href = link.getAttribute('href') ?? ''
  const words = tidy(inlinesIn(link).replaceAll('\n', ' '))
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return words
  const same = words === '' || words === href || `${words}/` === href || `mailto:${words}` === href
  if (same) return href.replace(/^mailto:/i, '')
  const safe = href.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(/\s/g, '%20')
  return `[${words.replaceAll(/[[\]]/g, '\\$&')}](${safe})`
}

/** White space stays outside of marks. */
function wrapped(text: string, mark: string): string {
  const [, before, inside, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)!
  if (inside === '' || inside!.includes('\n')) return text
  return `${before}${mark}${inside}${mark}${after}`
}

/** White space as HTML shows it, and a backslash before characters that would be marks. */
function plain(text: string): string {
  const folded = text.replaceAll(/[ \t\n\r\f]+/g, ' ').replaceAll('\u00a0', ' ')
  return folded.replaceAll(/[*_~`]+/g, (run, at: number) => {
    const before = folded[at - 1] ?? ' '
    const after = folded[at + run.length] ?? ' '
    const isLoose = before === ' ' && after === ' '
    const isInWord = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)
    return run.includes('`') || !(isLoose || isInWord) ? run.replaceAll(/./g, '\\$&') : run
  })
}

const tidy = (text: string) =>
  text
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()
