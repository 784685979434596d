import { Dialog } from './ui/Dialog.tsx'
import { words } from './words.ts'

/** Over the kept screen: what was written stays on this device until the person is back. */
export function SignedOut() {
  return (
    <Dialog label={words.signedOut.title} narrow>
      <h2 class="dlg-title">{words.signedOut.title}</h2>
      <p class="dlg-more">{words.signedOut.more}</p>
      <div class="dlg-foot">
        <a class="btn btn-primary" href="/login">
          {words.signedOut.signIn}
        </a>
      </div>
    </Dialog>
  )
}
