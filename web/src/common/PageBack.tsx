import { strings } from '../i18n/i18n.ts'
import { isPhone, panel } from '../store/store.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** Leads from a page to the list of channels on a phone. Elsewhere Esc and the sidebar, which stays in view, close pages. */
export function PageBack() {
  if (!isPhone.value) return null
  return (
    <IconButton
      icon="chev-left"
      flip
      label={strings.back}
      onClick={() => {
        panel.value = undefined
      }}
    />
  )
}
