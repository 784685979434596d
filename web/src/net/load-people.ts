import { people } from '../store/store.ts'
import { users } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

/** Refreshes the list before it is used: no event announces a new account. */
export async function loadPeople() {
  try {
    const names = await users()
    // Keeps the array when nothing has changed: a new one would render all its users.
    if (names.join() !== people.peek().join()) people.value = names
  } catch (error) {
    tolerateFailure(error)
  }
}
