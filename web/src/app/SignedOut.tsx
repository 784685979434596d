import { strings } from '../i18n/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Covers the screen: unsent text stays on this device until the person signs in again. */
export function SignedOut() {
  return (
    <Dialog label={strings.signedOut.title} narrow>
      <h2 class="dialog-title">{strings.signedOut.title}</h2>
      <p class="dialog-text">{strings.signedOut.more}</p>
      <div class="dialog-foot">
        <a class="button button-primary" href={`/login${location.hash}`}>
          {strings.signedOut.signIn}
        </a>
      </div>
    </Dialog>
  )
}
