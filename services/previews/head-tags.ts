/** More than any honest page has, and the end of the work for the others. */
const MOST_TAGS = 1_000
const LONGEST_TAG = 16_384
const LONGEST_TITLE = 2_000

/** Only those that a card is made of: some frameworks keep their whole state in a <meta>. */
const WANTED = new Map([
  ['meta', /og:|twitter:|description/i],
  ['link', /icon|image_src/i],
  ['base', /href/i],
])

/** Elements whose inside is not for a card, up to their own end tag: texts that only look like tags, other titles. */
const SKIPPED = new Set(
  'script style noscript template textarea noframes iframe xmp svg math object video audio'.split(' '),
)

/**
 * What stands before the body and may become a card, as flat HTML: <title>, <base>, and the <meta> and <link> that are
 * wanted. One walk through the text and no tree, so nothing can be nested too deeply (CVE-2022-31052), and what is never
 * closed is looked for once. A page without <body> is all head.
 */
export function headTags(html: string): string {
  const kept: string[] = []
  const closing = endTagsOf(html)
  let hasTitle = false
  for (let at = html.indexOf('<'); at !== -1 && kept.length < MOST_TAGS; at = html.indexOf('<', at)) {
    const name = tagName(html, at + 1)
    if (name === 'body') break
    if (name === '') {
      at = behindOther(html, at)
      continue
    }
    const end = tagEnd(html, at + 1 + name.length)
    if (isWanted(name, html, at, end)) kept.push(html.slice(at, end))
    at = end
    if (name !== 'title' && !SKIPPED.has(name)) continue

    const close = closing(name, at)
    if (name === 'title' && !hasTitle) {
      const title = titleText(html, at, close)
      kept.push(`<title>${title}</title>`)
      hasTitle = title.trim() !== ''
    }
    at = close ?? at
  }
  return kept.join('\n')
}

/** The name of a start tag, lower case; empty for whatever else begins with `<`. */
function tagName(html: string, at: number) {
  let end = at
  while (end < at + 16 && isLetter(html.charCodeAt(end))) end++
  return html.slice(at, end).toLowerCase()
}

const isLetter = (code: number) => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** Behind a comment, an end tag, a declaration, or a `<` that stands for itself. */
function behindOther(html: string, at: number) {
  // `<!-->` is whole.
  if (html.startsWith('<!--', at)) return behind(html, '-->', at + 2)
  return '!?/'.includes(html[at + 1] ?? ' ') ? behind(html, '>', at) : at + 1
}

function behind(html: string, what: string, from: number) {
  const found = html.indexOf(what, from)
  return found === -1 ? html.length : found + what.length
}

/** Behind the `>` of a start tag. In a value that stands in quotes it is a character like any other. */
function tagEnd(html: string, from: number) {
  let isValue = false
  for (let at = from; at < html.length; at++) {
    const character = html[at]!
    if (character === '>') return at + 1
    if (isValue && (character === '"' || character === "'")) {
      at = behind(html, character, at + 1) - 1
      isValue = false
    } else if (character === '=') isValue = true
    else if (character.trim() !== '') isValue = false
  }
  return html.length
}

function isWanted(name: string, html: string, start: number, end: number) {
  const words = WANTED.get(name)
  // Without its `>` a tag would swallow those that are put behind it.
  return (
    words !== undefined &&
    end - start <= LONGEST_TAG &&
    html[end - 1] === '>' &&
    words.test(html.slice(start, end))
  )
}

/** Where the end tag of an element begins; what is not found once is not there further on. */
function endTagsOf(html: string) {
  const missing = new Set<string>()
  return (name: string, from: number): number | undefined => {
    if (missing.has(name)) return undefined
    const tag = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    tag.lastIndex = from
    const found = tag.exec(html)?.index
    if (found === undefined) missing.add(name)
    return found
  }
}

/** A title that is never closed ends where the next tag begins. */
function titleText(html: string, from: number, close: number | undefined) {
  const title = html.slice(from, Math.min(close ?? html.length, from + LONGEST_TITLE))
  return close === undefined ? title.split('<', 1)[0]! : title
}
