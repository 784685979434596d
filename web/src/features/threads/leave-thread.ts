import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { followThread } from '../../net/requests/lazy-endpoints.ts'
import { noteLeft } from '../../store/threads/left-threads.ts'
import { announce, showToast } from '../../ui/feedback.ts'

/** Takes the thread off the list at once, with Undo. */
export function leaveThread(id: number) {
  void follow(id, false)
  const undo = { label: strings.undo, run: () => void follow(id, true) }
  showToast(strings.threads.left, { icon: 'bell-off', action: undo })
  announce(strings.threads.left)
}

async function follow(id: number, following: boolean) {
  noteLeft(id, !following)
  try {
    await followThread(id, following)
  } catch (error) {
    tolerateFailure(error)
    noteLeft(id, following)
    showToast(strings.threads.notFollowed, { icon: 'alert' })
  }
}
