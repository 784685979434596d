import { folded } from './folded.ts'
import type { Emoji } from './table.ts'

const NO_MATCH = Number.POSITIVE_INFINITY
/** Each word of several is searched for alone, after all matches of the whole. */
const APART = 8

/**
 * The matches of typed words among names and keywords of both languages, best first: equal, beginning, word beginning,
 * inside; names before keywords. Equal matches: those of `favourites` in their order, reactions, then Unicode order.
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
  for (const name of names) best = Math.min(best, 2 * place(name, wanted))
  for (const word of keywords) best = Math.min(best, 2 * place(word, wanted) + 1)
  return best
}

function place(term: string, wanted: string): number {
  const at = term.indexOf(wanted)
  if (at < 0) return NO_MATCH
  if (at === 0) return term.length === wanted.length ? 0 : 1
  return term.includes(` ${wanted}`) ? 2 : 3
}
