import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { showToast } from '../../ui/feedback.ts'
import { confirmed } from './confirmed.ts'

/** Runs an act on somebody, with the password if required, and says in a toast why it failed. */
export async function act<T>(run: () => Promise<T>, name: string, done: (result: T) => void): Promise<void> {
  const say = strings.administration
  try {
    const result = await confirmed(run)
    if (result !== undefined) done(result)
  } catch (error) {
    tolerateFailure(error)
    const sentence =
      error.code === 'last_owner'
        ? say.lastOwner
        : error.status === 403
          ? say.notAllowed(name)
          : say.notDone(name)
    showToast(sentence, { icon: 'alert' })
  }
}
