import { strings } from '../i18n/i18n.ts'
import { FormDialog } from './FormDialog.tsx'

interface Props {
  stay: () => void
  leave: () => void
}

/** Asks before something typed is lost. */
export function LeaveDialog({ stay, leave }: Props) {
  const texts = strings.settings
  return (
    <FormDialog
      title={texts.leaveTitle}
      close={stay}
      form={leave}
      label={texts.discard}
      cancel={{ label: texts.keepEditing, run: stay }}
      danger
      narrow
    >
      <p class="dialog-text">{texts.leaveMore}</p>
    </FormDialog>
  )
}
