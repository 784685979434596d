import { strings } from '../../../i18n/i18n.ts'
import { prefer, preferred } from '../../../store/preferences/preferences.ts'
import { IconButton } from '../../../ui/IconButton.tsx'

/** Shows or hides the bar, for all texts on this device. */
export function FormattingSwitch() {
  const isShown = preferred.showFormatting.value
  return (
    <IconButton
      icon="format"
      label={strings.composer.formatting}
      aria-pressed={isShown}
      onMouseDown={event => event.preventDefault()}
      onClick={() => prefer({ showFormatting: !isShown })}
    />
  )
}
