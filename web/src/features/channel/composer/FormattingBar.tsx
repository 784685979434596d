import type { RefObject } from 'preact'
import { strings } from '../../../i18n/i18n.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { applyFormat, FORMATS } from './formats.ts'
import './FormattingBar.css'

/** Buttons that put marks into the text, with the marks in their tooltips: the text stays text. */
export function FormattingBar({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <div class="formatting-bar" role="toolbar" aria-label={strings.composer.formatting}>
      {FORMATS.map(format => (
        <IconButton
          key={format.id}
          icon={format.icon}
          label={strings.composer.formats[format.id]}
          title={strings.composer.formatAs(strings.composer.formats[format.id], format.example)}
          {...(format.apart && { class: 'is-apart' })}
          // The focus stays in the text.
          onMouseDown={event => event.preventDefault()}
          onClick={() => applyFormat(field.current!, format)}
        />
      ))}
      <span class="formatting-bar-hint" aria-hidden="true">
        <b>*{strings.composer.formats.bold}*</b> <i>_{strings.composer.formats.italic}_</i>
      </span>
    </div>
  )
}
