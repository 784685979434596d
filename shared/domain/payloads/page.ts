import * as v from 'valibot'

/** A page of a list (interface 10). `next` requests the next page; null on the last. */
export const pageOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.strictObject({ items: v.array(item), next: v.nullable(v.string()) })

export interface Page<Item> {
  items: Item[]
  next: string | null
}
