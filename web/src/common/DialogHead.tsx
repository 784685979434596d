import { strings } from '../i18n/i18n.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** Title of a dialog and a cross. */
export function DialogHead({ title, close }: { title: string; close: () => void }) {
  return (
    <div class="dialog-head">
      <h2 class="dialog-title">{title}</h2>
      <IconButton icon="x" label={strings.close} onClick={close} />
    </div>
  )
}
