/** A page of a list (interface 10). */
export interface Page<Item> {
  items: Item[]
  next: string | null
}
