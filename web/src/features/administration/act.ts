import { strings } from '../../i18n/i18n.ts'
import { type Failure, tolerateFailure } from '../../net/requests/failure.ts'
import { showToast } from '../../ui/feedback.ts'
import { confirmed } from './open-confirmed.ts'

/**
 * Runs an act on somebody or something, with the password if required, and says in a toast why it failed. Returns false
 * if it failed or the person gave up.
 */
export async function act<T>(
  run: () => Promise<T>,
  name: string,
  done: (result: T) => void = () => {},
): Promise<boolean> {
  try {
    const result = await confirmed(run)
    if (result === undefined) return false
    done(result)
    return true
  } catch (error) {
    tolerateFailure(error)
    showToast(whyNot(error, name), { icon: 'alert' })
    return false
  }
}

function whyNot({ code, status }: Failure, name: string): string {
  const texts = strings.administration
  if (code === 'last_owner') return texts.lastOwner
  return status === 403 ? texts.notAllowed(name) : texts.notDone(name)
}
