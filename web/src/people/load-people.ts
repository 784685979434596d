import { Failure, users } from '../server/endpoints.ts'
import { people } from '../store/store.ts'

/** Before somebody is chosen: no event tells of a new account. */
export async function loadPeople() {
  try {
    const names = await users()
    // The same names are the same list; another array would draw all that shows it.
    if (names.join() !== people.peek().join()) people.value = names
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
