import type { Username } from './units.ts'

/** The mention of the whole channel (interface 2.3). */
export const EVERYONE = '@everyone'

const NAME_CHARACTER = /[A-Za-z0-9_-]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u
const LONGEST_NAME = 32

/**
 * Returns the tokens after each `@` of a text, without the `@`. Skips code, URLs and e-mail addresses (decisions,
 * Mentions). A single pass: the time is linear in the length of the text.
 */
export function mentionTokens(text: string): string[] {
  if (!text.includes('@')) return []
  const tokens: string[] = []
  for (const [run] of withoutCode(text).matchAll(RUN)) tokensIn(run, tokens)
  return tokens
}

/** A run of characters that a URL may contain; white space, quotes and angle brackets end it. */
const RUN = /[^\s<>"]+/g
const SCHEME = /(?:https?|ftp|wss?|file):\/\/|mailto:|www\./i

function tokensIn(run: string, tokens: string[]) {
  let at = run.indexOf('@')
  if (at === -1) return
  // Everything after the first scheme belongs to the URL.
  const end = run.search(SCHEME)
  for (; at !== -1 && (end === -1 || at < end); at = run.indexOf('@', at + 1)) {
    const before = at === 0 ? '' : run[at - 1]!
    if (/[@/.+-]/.test(before) || WORD_CHARACTER.test(before)) continue
    let close = at + 1
    while (close < run.length && NAME_CHARACTER.test(run[close]!)) close++
    // `@a@b` is an address on another server.
    if (close > at + 1 && run[close] !== '@') tokens.push(run.slice(at + 1, close))
  }
}

/** Returns the mentioned members in canonical spelling and member order, `[@everyone]`, or null (interface 4.3.1). */
export function mentionsIn(tokens: string[], members: Iterable<Username>): string[] | null {
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

/** Allows trailing dashes: `@everyone- look here`. Checked only when no member has the name. */
function isEveryone(token: string) {
  return /^everyone[-_]*$/.test(token)
}

/** Returns the member with the longest matching prefix: `@ada-` at the end of a clause means ada. */
function longestMember(token: string, members: Map<string, Username>) {
  for (const beginning of beginningsOf(token)) {
    const name = members.get(beginning)
    if (name !== undefined) return name
  }
  return undefined
}

/** Yields the prefixes that may be names, longest first. `@adam` is not ada: letters and digits continue a name. */
function* beginningsOf(token: string): Generator<string> {
  for (let length = Math.min(token.length, LONGEST_NAME); length > 0; length--) {
    if (length === token.length || /[-_]/.test(token[length]!)) yield token.slice(0, length)
  }
}

/** Returns every lower-cased name that the tokens may mean, so that the store need not return all members. */
export function mentionCandidates(tokens: string[]): string[] {
  return [...new Set(tokens.flatMap(token => [...beginningsOf(token.toLowerCase())]))]
}

/** Replaces fenced code and code spans by a space, so that the text around them is not joined. */
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
      // As in the client, an unclosed fence of three extends to the end; a single backtick is a plain character.
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
