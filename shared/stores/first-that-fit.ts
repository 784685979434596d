/** Bytes of text in a page of a list, and of a history in memory per reader (interface 8). */
export const PAGE_BYTES = 256 * 1024

/** Rows of `firstThatFit`. `more`: others follow. */
export interface Fitting<Item> {
  items: Item[]
  more: boolean
}

/**
 * SQL: the first rows of a select in this order, at most `limit` and PAGE_BYTES, but at least one. The select has a
 * column `bytes` and those of the order. Adds `more`: others follow the row.
 */
export const firstThatFit = (rows: string, order: string, limit: string): string => `
  select fitting.*
    from (select listed.*,
                 row_number() over page as place,
                 sum(bytes) over page as total,
                 lead(true) over page is not null as more
            from (${rows} order by ${order} limit ${limit}::integer + 1) listed
          window page as (order by ${order} rows unbounded preceding)) fitting
   where place <= ${limit} and (place = 1 or total <= ${PAGE_BYTES})`

/** The items of rows of `firstThatFit`, which end where the page ends. */
export const fittingOf = <Row extends { more: boolean }, Item>(
  rows: readonly Row[],
  itemOf: (row: Omit<Row, 'more'>) => Item,
): Fitting<Item> => ({
  items: rows.map(({ more: _, ...row }) => itemOf(row)),
  more: rows.at(-1)?.more ?? false,
})
