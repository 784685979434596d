import type { Username } from '#shared/domain/units.ts'
import { strings } from '../../../i18n/i18n.ts'
import { displayed } from '../../../store/people/people.ts'
import './TypingLine.css'

export function TypingLine({ names }: { names: Username[] }) {
  if (names.length === 0) return null
  return (
    <>
      <span class="typing" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span data-typing>{strings.typing(names.map(displayed))}</span>
    </>
  )
}
