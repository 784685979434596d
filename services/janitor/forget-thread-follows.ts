import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Rows that a statement looks at. */
const PAGE = 1_000

interface Page {
  forgotten: number
  /** The last row; null after the end. */
  username: Username | null
  root_id: number | null
}

/** Deletes who follows threads of which no message is left: reads the table once, in the order of its key. */
export async function forgetThreadFollows({ db }: Stores): Promise<number> {
  let forgotten = 0
  let username: Username | null = ''
  let root: number | null = 0
  while (username !== null) {
    const { rows }: { rows: Page[] } = await db.query<Page>(
      `with page as materialized (
         select username, root_id
           from thread_follows
          where (username, root_id) > ($1, $2)
          order by username, root_id
          limit $3
       ), gone as (
         delete from thread_follows follow
          using page
          where (follow.username, follow.root_id) = (page.username, page.root_id)
            and not exists (select from messages where id = page.root_id)
            and not exists (select from messages where thread_id = page.root_id)
         returning 1
       )
       select (select count(*) from gone) as forgotten, last.username, last.root_id
         from (select) one
         left join (select * from page order by username desc, root_id desc limit 1) last on true`,
      [username, root, PAGE],
    )
    const page: Page = rows[0]!
    forgotten += page.forgotten
    username = page.username
    root = page.root_id
  }
  return forgotten
}
