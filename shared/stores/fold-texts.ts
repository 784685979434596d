import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from './stores.ts'

/** Ids of a statement. A changed text enters the index anew. */
const BATCH = 2_000
/** Length of a run, so that a janitor stops soon. */
const SLICE: Milliseconds = 2_000

/**
 * Folds searchable texts from before 0140_folded_texts.sql, newest first. A search finds both forms meanwhile. Returns
 * the number of ids passed; 0 when all are folded.
 */
export async function foldTexts({ db }: Stores): Promise<number> {
  const until = performance.now() + SLICE
  let passed = 0
  while (performance.now() < until) {
    const { rowCount } = await db.query(
      `with done as (
         update unfolded_texts
            set up_to = least(up_to, (select max(message_id) from message_texts)) - $1
          where up_to > 0
         returning up_to),
       folded as (
         update message_texts
            set content = fold_text(content)
           from done
          where message_id > up_to and message_id <= up_to + $1
            and octet_length(content) <> char_length(content)
            and content <> fold_text(content))
       select from done`,
      [BATCH],
    )
    if (rowCount === 0) break
    passed += BATCH
  }
  if (passed === 0) await db.query('delete from unfolded_texts where up_to <= 0')
  return passed
}
