import type { Username } from './units.ts'

/** Stands in a message's mentions for the whole channel (interface 2.3). */
export const EVERYONE = '@everyone'

const NAME_CHARACTER = /[A-Za-z0-9_-]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u
const LONGEST_NAME = 32

/**
 * Whom a text mentions: canonical names in member order, `[@everyone]`, or null when it mentions no one (interface 4.3.1).
 * One pass over the text; tokens in code, URLs and e-mail addresses do not count (decisions, Mentions).
 */
export function mentionsIn(text: string, members: Iterable<Username>): string[] | null {
  const tokens = mentionTokens(text)
  if (tokens.length === 0) return null

  const canonical = new Map<string, Username>()
  for (const member of members) canonical.set(member.toLowerCase(), member)

  const mentioned = new Set<Username>()
  for (const token of tokens) {
    const lower = token.toLowerCase()
    const name = longestMember(lower, canonical)
    if (name !== undefined) mentioned.add(name)
    else if (isEveryone(lower)) return [EVERYONE]
  }
  const inOrder = [...canonical.values()].filter(name => mentioned.has(name))
  return inOrder.length > 0 ? inOrder : null
}

/** The word itself, or the word with a dash after it: `@everyone- look here`. Asked only when no member has the name. */
function isEveryone(token: string) {
  return /^everyone(?:[-_]|$)/.test(token)
}

/** `@ada-` at the end of a clause still means ada: the longest beginning of the token that is a member. */
function longestMember(token: string, members: Map<string, Username>) {
  for (let length = token.length; length > 0; length--) {
    const name = members.get(token.slice(0, length))
    if (name !== undefined && endsAtBoundary(token, length)) return name
  }
  return undefined
}

/** `@adam` is not ada: what follows the name must not be a letter or a digit. */
function endsAtBoundary(token: string, length: number) {
  return length === token.length || /[-_]/.test(token[length]!)
}

/** The names after each `@` that counts, without the `@`. */
export function mentionTokens(text: string): string[] {
  const visible = withoutCode(text)
  const tokens: string[] = []
  for (let at = visible.indexOf('@'); at !== -1; at = visible.indexOf('@', at + 1)) {
    if (!mayStartMention(visible, at)) continue
    let end = at + 1
    while (end < visible.length && NAME_CHARACTER.test(visible[end]!)) end++
    const token = visible.slice(at + 1, end)
    if (token.length === 0) continue
    // `@host.example` after a dot-atom is refused by what stands before; `@a@b` is an address of another kind.
    if (visible[end] === '@') continue
    tokens.push(token.slice(0, LONGEST_NAME + 1))
  }
  return tokens
}

function mayStartMention(text: string, at: number) {
  if (at > 0) {
    const before = text[at - 1]!
    if (before === '@' || before === '/' || before === '.' || before === '+' || before === '-') return false
    if (WORD_CHARACTER.test(before)) return false
  }
  return !isInsideUrl(text, at)
}

/** Looks back over the characters that a URL may hold; whitespace and angle brackets end it. */
function isInsideUrl(text: string, at: number) {
  let start = at
  while (start > 0 && at - start < 2_048 && !/[\s<>"]/.test(text[start - 1]!)) start--
  return /(?:https?|ftp|wss?|file):\/\/|mailto:|www\./i.test(text.slice(start, at))
}

/** Blanks out fenced code and code spans, so that positions before and after stay apart. */
function withoutCode(text: string) {
  if (!text.includes('`')) return text
  let out = ''
  let i = 0
  while (i < text.length) {
    if (text[i] !== '`') {
      out += text[i++]
      continue
    }
    let run = i
    while (text[run] === '`') run++
    const fence = text.slice(i, run)
    const close = closingRun(text, run, fence.length)
    if (close === -1) {
      // An unclosed fence of three hides the rest, as the client shows it; a lone backtick is just a character.
      if (fence.length >= 3) return `${out} `
      out += fence
      i = run
    } else {
      out += ' '
      i = close + fence.length
    }
  }
  return out
}

function closingRun(text: string, from: number, length: number) {
  for (let i = text.indexOf('`', from); i !== -1; ) {
    let end = i
    while (text[end] === '`') end++
    if (end - i === length) return i
    i = text.indexOf('`', end)
  }
  return -1
}

/** Every lower-cased name that the text could mean: what to ask the store for, instead of all members. */
export function mentionCandidates(text: string): string[] {
  const candidates = new Set<string>()
  for (const token of mentionTokens(text)) {
    const lower = token.toLowerCase()
    for (let length = Math.min(lower.length, LONGEST_NAME); length > 0; length--) {
      if (endsAtBoundary(lower, length)) candidates.add(lower.slice(0, length))
    }
  }
  return [...candidates]
}
