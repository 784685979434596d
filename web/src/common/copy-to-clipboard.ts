import { strings } from '../i18n/i18n.ts'
import { tolerate } from '../store/device/tolerate.ts'
import { showToast } from '../ui/feedback.ts'

/** Characters of the text in the sentence that it could not be copied. */
const NAMED = 80

/** `done`: the toast after success. */
export async function copyToClipboard(text: string, done: string) {
  if (await copied(text)) return showToast(done, { icon: 'check' })
  const start = Array.from(text).slice(0, NAMED).join('')
  showToast(strings.actions.notCopied(start === text ? text : `${start}…`), { icon: 'alert' })
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
