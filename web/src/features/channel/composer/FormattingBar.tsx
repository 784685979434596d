import { strings } from '../../../i18n/i18n.ts'
import { prefer, preferred } from '../../../store/preferences/preferences.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { FORMATS, type FormatId } from './formats.ts'

/** Buttons that put marks into the text, with the marks in their tooltips: the text stays text. */
export function FormattingBar({ format }: { format: (id: FormatId) => void }) {
  return (
    <div class="formatting-bar" role="toolbar" aria-label={strings.composer.formatting}>
      {FORMATS.map(({ id, icon, example, apart }) => (
        <IconButton
          key={id}
          icon={icon}
          label={strings.composer.formats[id]}
          title={strings.composer.formatAs(strings.composer.formats[id], example)}
          {...(apart && { class: 'is-apart' })}
          // The focus stays in the text.
          onMouseDown={event => event.preventDefault()}
          onClick={() => format(id)}
        />
      ))}
      <span class="formatting-bar-hint" aria-hidden="true">
        <b>*{strings.composer.formats.bold}*</b> <i>_{strings.composer.formats.italic}_</i>
      </span>
    </div>
  )
}

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
