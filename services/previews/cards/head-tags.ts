/** More than any honest page has; bounds the work for hostile ones. */
const MOST_TAGS = 1_000
const LONGEST_TAG = 16_384
const LONGEST_TITLE = 2_000

/** Tags that cards use; other tags are skipped because some frameworks keep their whole state in a <meta>. */
const WANTED = new Map([
  ['meta', /og:|twitter:|description/i],
  ['link', /icon|image_src/i],
  ['base', /href/i],
])

/** Elements skipped up to their end tag: they contain text that looks like tags, or titles of their own. */
const SKIPPED = new Set(
  'script style noscript template textarea noframes iframe xmp svg math object video audio'.split(' '),
)

/**
 * Returns the tags that a card may use, as flat HTML: <title>, <base>, and wanted <meta> and <link> of the head, then wanted
 * <meta> of the body, where some generators put them; readers take the first of a name. A single pass without a tree, so deep nesting does no harm (CVE-2022-31052), and a missing end tag is searched for only
 * once. A page without <body> is all head.
 *
 * The parser below cheerio, htmlparser2, cannot replace it: on the fixtures it takes 3 to 100 times as long, because it
 * decodes the scripts and attributes that a card never uses, and a script or title without an end hides all later tags.
 */
export function headTags(html: string): string {
  const kept: string[] = []
  const closing = endTagsOf(html)
  let hasTitle = false
  let isInBody = false
  for (let at = html.indexOf('<'); at !== -1 && kept.length < MOST_TAGS; at = html.indexOf('<', at)) {
    const name = tagName(html, at + 1)
    if (name === 'body') isInBody = true
    if (name === '') {
      at = behindOther(html, at)
      continue
    }
    const end = tagEnd(html, at + 1 + name.length)
    if ((name === 'meta' || !isInBody) && isWanted(name, html, at, end)) kept.push(html.slice(at, end))
    at = end
    if (name !== 'title' && !SKIPPED.has(name)) continue

    const close = closing(name, at)
    if (name === 'title' && !hasTitle && !isInBody) {
      const title = titleText(html, at, close)
      kept.push(`<title>${title}</title>`)
      hasTitle = title.trim() !== ''
    }
    at = close ?? at
  }
  return kept.join('\n')
}

/** The name of a start tag, lower case; empty for anything else that begins with `<`. */
function tagName(html: string, at: number) {
  let end = at
  while (end < at + 16 && isLetter(html.charCodeAt(end))) end++
  return html.slice(at, end).toLowerCase()
}

const isLetter = (code: number) => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** The position after a comment, an end tag, a declaration, or a literal `<`. */
function behindOther(html: string, at: number) {
  // `<!-->` is a complete comment.
  if (html.startsWith('<!--', at)) return behind(html, '-->', at + 2)
  return '!?/'.includes(html[at + 1] ?? ' ') ? behind(html, '>', at) : at + 1
}

function behind(html: string, what: string, from: number) {
  const at = html.indexOf(what, from)
  return at === -1 ? html.length : at + what.length
}

/** The position after the `>` of a start tag; skips `>` in quoted values. */
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
  // A tag without `>` would swallow the tags appended after it.
  return (
    words !== undefined &&
    end - start <= LONGEST_TAG &&
    html[end - 1] === '>' &&
    words.test(html.slice(start, end))
  )
}

/** Finds the start of an end tag; remembers missing ones, which keeps the search linear. */
function endTagsOf(html: string) {
  const missing = new Set<string>()
  return (name: string, from: number): number | undefined => {
    if (missing.has(name)) return undefined
    const tag = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    tag.lastIndex = from
    const index = tag.exec(html)?.index
    if (index === undefined) missing.add(name)
    return index
  }
}

/** An unclosed title ends at the next tag. */
function titleText(html: string, from: number, close: number | undefined) {
  const title = html.slice(from, Math.min(close ?? html.length, from + LONGEST_TITLE))
  return close === undefined ? title.split('<', 1)[0]! : title
}
