import { strings } from '../i18n/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Covers the screen: unsent text stays on this device until the person signs in again. */
export function SignedOut() {
  return (
    <Dialog label={strings.signedOut.title} narrow>
      <h2 class="dlg-title">{strings.signedOut.title}</h2>
      <p class="dlg-more">{strings.signedOut.more}</p>
      <div class="dlg-foot">
        <a class="btn btn-primary" href="/login">
          {strings.signedOut.signIn}
        </a>
      </div>
    </Dialog>
  )
}
