import { Failure, users } from '../server/endpoints.ts'
import { people } from '../store/store.ts'

/** Before somebody is chosen: no event tells of a new account. */
export async function loadPeople() {
  try {
    people.value = await users()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
