import { strings } from '../i18n/i18n.ts'
import { tolerate } from '../store/tolerate.ts'
import { showToast } from '../ui/feedback.ts'

/** `done`: the toast after success. */
export async function copyToClipboard(text: string, done: string) {
  showToast((await copied(text)) ? done : strings.actions.notCopied, { icon: 'check' })
}

/** `navigator.clipboard` needs a secure context, which plain http on a LAN is not. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    tolerate(error, DOMException, TypeError)
  }
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'vh'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
