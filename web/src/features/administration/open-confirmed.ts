import { Failure } from '../../net/requests/failure.ts'
import { passwordAsked } from './open-administration.ts'

/** Runs an act, and asks for the password first if the server requires it. Returns undefined if the person gives up. */
export async function confirmed<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'confirm_required') throw error
  }
  const given = await new Promise<boolean>(resolve => {
    passwordAsked.value = resolve
  })
  passwordAsked.value = undefined
  return given ? act() : undefined
}
