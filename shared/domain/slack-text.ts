/** Texts in the markup of Slack and Mattermost, as texts in ours (interface 2.10). Pure, and linear in the length of a text. */

/** Fenced and inline code. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/
const FENCE = /(```[\s\S]*?(?:```|$))/
/** A link, mention or command in angle brackets. */
const TOKEN = /<([^<>\n]{1,4000})>/g
const HEADING = /^#{1,6}[ \t]+(\S.*)$/gm
const PICTURE = /!(?=\[[^[\]\n]{0,1000}\]\()/g
const POINT = /^([ \t]*)\*[ \t]+/gm
/** Words that tell everybody, unless they are part of an address or a name. */
const BROADCAST = /(^|[^\w@/.+-])@(?:channel|all|here|everyone)(?![\w@-])/g

/** `tellsEveryone`: the text may mention everyone; else the words stay without effect. */
export function fromMrkdwn(text: string, tellsEveryone: boolean): string {
  const parts = withFencedTables(text).split(CODE)
  const converted = parts.map((part, at) => (at % 2 === 1 ? codeOf(part) : proseOf(part, tellsEveryone)))
  return decoded(converted.join(''))
}

/** A text without links and mentions in angle brackets: Mattermost's, plain ones and Slack's `markdown` blocks. */
export const fromMarkdown = (text: string, tellsEveryone: boolean): string =>
  withFencedTables(text)
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : drawable(toldIn(part, tellsEveryone))))
    .join('')

/** Tables of Markdown, which we do not draw, as fenced blocks. */
function withFencedTables(text: string): string {
  if (!text.includes('|') || !text.includes('-')) return text
  const parts = text.split(FENCE)
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return part
      const lines = part.split('\n')
      // The lines at fences belong to them.
      return tablesFenced(lines, at === 0 ? 0 : 1, at === parts.length - 1 ? lines.length : lines.length - 1)
    })
    .join('')
}

/** `from`, `to`: the lines that may be of a table. */
function tablesFenced(lines: readonly string[], from: number, to: number): string {
  const made: string[] = []
  for (let at = 0; at < lines.length; ) {
    const end = at < from ? at : endOfTable(lines, at, to)
    if (end > at) made.push('```', ...lines.slice(at, end), '```')
    else made.push(lines[at]!)
    at = Math.max(end, at + 1)
  }
  return made.join('\n')
}

/** `at` where no table begins. */
function endOfTable(lines: readonly string[], at: number, to: number): number {
  if (at + 1 >= to || !isTableHead(lines[at]!, lines[at + 1]!)) return at
  let end = at + 2
  while (end < to && lines[end]!.includes('|')) end++
  return end
}

const isTableHead = (line: string, next: string): boolean =>
  line.includes('|') && next.includes('|') && TABLE_RULE.test(next.trim())

/** `| --- | :-: |`. */
const TABLE_RULE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/

/** In code, links become their words or their address. */
const codeOf = (text: string) =>
  text.replace(TOKEN, (whole, inner: string) => {
    const { target, label } = partsOf(inner)
    return isAddress(target) ? label || withoutScheme(target) : whole
  })

const proseOf = (text: string, tellsEveryone: boolean) =>
  drawable(
    toldIn(
      text.replace(TOKEN, (whole, inner: string) => replaced(whole, inner, tellsEveryone)),
      tellsEveryone,
    ),
  )

/** Headings, pictures and points of Markdown in marks that we draw. */
const drawable = (text: string) =>
  text
    .replace(HEADING, (_line, words: string) => `*${words.replaceAll('**', '').trim()}*`)
    .replace(PICTURE, '')
    .replace(POINT, '$1- ')

const toldIn = (text: string, tellsEveryone: boolean) =>
  text.replace(BROADCAST, `$1${tellsEveryone ? '@' : ''}everyone`)

function replaced(whole: string, inner: string, tellsEveryone: boolean): string {
  const { target, label } = partsOf(inner)
  const [sign, rest] = [target[0], target.slice(1)]
  if (sign === '@') return `@${label.replace(/^@/, '') || rest}`
  if (sign === '#') return `#${label.replace(/^#/, '') || rest}`
  if (sign === '!') return commandOf(rest, label, tellsEveryone)
  if (!isAddress(target)) return whole
  if (/^mailto:/i.test(target)) return label || withoutScheme(target)
  return linkTo(target, label)
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1^{date}|today>`. */
function commandOf(name: string, label: string, tellsEveryone: boolean): string {
  if (['everyone', 'channel', 'here'].includes(name)) return tellsEveryone ? '@everyone' : 'everyone'
  return label
}

/** A link with words; without words or with the address as words, the address alone. */
export function linkTo(address: string, label = ''): string {
  const words = label
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[[\]]/g, sign => `\\${sign}`)
  if (words === '' || label === address) return address
  return `[${words}](${address.replace(/[()\s]/g, sign => ESCAPES[sign] ?? '%20')})`
}

const ESCAPES: Record<string, string> = { '(': '%28', ')': '%29' }

function partsOf(inner: string): { target: string; label: string } {
  const at = inner.indexOf('|')
  return at < 0 ? { target: inner, label: '' } : { target: inner.slice(0, at), label: inner.slice(at + 1) }
}

/** The addresses that a message may link. */
export const isAddress = (text: string): boolean => /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(text)

const withoutScheme = (address: string) => address.replace(/^mailto:/i, '')

/** Once: `&amp;lt;` is `&lt;`. */
const decoded = (text: string) =>
  text.replace(/&(lt|gt|amp);/g, (_whole, name: string) => ({ lt: '<', gt: '>', amp: '&' })[name]!)
