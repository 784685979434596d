import { folded } from './folded.ts'
import type { Emoji } from './table.ts'

const NO_MATCH = Number.POSITIVE_INFINITY
/** Each word of several is searched for alone, after all matches of the whole. */
const APART = 8

/**
 * The matches of typed words among names and keywords of both languages, best first: an equal name, the beginning of a
 * name, an equal keyword, its beginning, then beginnings of words and the inside. Equal matches: those of `favourites` in their order, reactions, then Unicode order.
 */
export function findEmoji(all: Emoji[], typed: string, favourites: string[] = []): Emoji[] {
  const wanted = folded(typed)
  if (wanted === '') return all
  const liked = new Map(favourites.map((emoji, at) => [emoji, at]))
  const likedAt = (one: Emoji) =>
    liked.get(one.emoji) ?? (one.reaction === undefined ? NO_MATCH : favourites.length)
  return all
    .map(one => ({ one, rank: rankOf(one, wanted), liked: likedAt(one) }))
    .filter(({ rank }) => rank !== NO_MATCH)
    .sort((a, b) => a.rank - b.rank || (a.liked === b.liked ? 0 : a.liked - b.liked))
    .map(({ one }) => one)
}

function rankOf(one: Emoji, wanted: string): number {
  const whole = rankOfTerm(one, wanted)
  if (whole !== NO_MATCH || !wanted.includes(' ')) return whole
  return APART + Math.max(...wanted.split(' ').map(word => rankOfTerm(one, word)))
}

function rankOfTerm({ names, keywords }: Emoji, wanted: string): number {
  let best = NO_MATCH
  for (const name of names) best = Math.min(best, NAME_RANKS[place(name, wanted)] ?? NO_MATCH)
  for (const word of keywords) best = Math.min(best, KEYWORD_RANKS[place(word, wanted)] ?? NO_MATCH)
  return best
}

/** By `place`: equal, beginning, beginning of a word, inside. */
const NAME_RANKS = [0, 1, 4, 6]
const KEYWORD_RANKS = [2, 3, 5, 7]

function place(term: string, wanted: string): number {
  const at = term.indexOf(wanted)
  if (at < 0) return NO_MATCH
  if (at === 0) return term.length === wanted.length ? 0 : 1
  return term.includes(` ${wanted}`) ? 2 : 3
}
