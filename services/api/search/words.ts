import { accentPattern, isAscii } from '#shared/domain/fold.ts'
import type { Both, SearchQuery } from '#shared/domain/search-query.ts'
import { type Db, prepared } from '#shared/stores/postgres.ts'

/** A word or phrase of a search. */
export interface Word {
  folded: string
  /** A pattern that the accents of the text match; undefined if the word has none. */
  accents: string | undefined
  /** Three letters or digits in a row. */
  hasTrigram: boolean
}

export interface Words {
  words: Both<Word>
  fileNames: Both<Word>
}

export async function wordsOf(db: Db, { words, name }: Pick<SearchQuery, 'words' | 'name'>): Promise<Words> {
  const all = [...words.yes, ...words.no, ...name.yes, ...name.no]
  const known = all.every(isAscii) ? new Map<string, Word>() : await foldWords(db, all)
  const wordOf = (text: string) => known.get(text) ?? ofAscii(text)
  const of = ({ yes, no }: Both<string>): Both<Word> => ({
    yes: withoutContained(yes.map(wordOf)),
    no: no.map(wordOf),
  })
  return { words: of(words), fileNames: of(name) }
}

export const ofAscii = (text: string): Word => ({
  folded: text.toLowerCase(),
  accents: undefined,
  hasTrigram: /[a-z0-9]{3}/i.test(text),
})

/** The database's locale decides which letters have case and trigrams: under `C` those of ASCII alone. */
const FOLD = prepared(`
  select word, fold_text(word) as folded, accented_text(word) as accented,
         array_to_string(array(
           select case when show_trgm(character) = '{}' then ' ' else 'x' end
             from unnest(string_to_array(fold_text(word), null)) with ordinality as one (character, place)
            order by place), '') like '%xxx%' as "hasTrigram"
    from unnest($1::text[]) as word`)

async function foldWords(db: Db, words: string[]): Promise<Map<string, Word>> {
  const { rows } = await db.query<{
    word: string
    folded: string
    accented: string
    hasTrigram: boolean
  }>(FOLD, [words])
  return new Map(
    rows.map(({ word, folded, accented, hasTrigram }) => [
      word,
      {
        // Marks alone are in no folded text.
        folded: folded || word,
        accents: accentPattern(accented),
        hasTrigram,
      },
    ]),
  )
}

/** A word within another one adds nothing, unless its accents do. */
function withoutContained(words: Word[]): Word[] {
  const unique = [...new Map(words.map(word => [word.folded + (word.accents ?? ''), word])).values()]
  return unique.filter(
    word =>
      word.accents !== undefined ||
      !unique.some(
        other => other !== word && other.folded.includes(word.folded) && other.folded !== word.folded,
      ),
  )
}
