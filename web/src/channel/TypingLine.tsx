import type { Username } from '#shared/rules/units.ts'
import { words } from '../words.ts'

export function TypingLine({ names }: { names: Username[] }) {
  if (names.length === 0) return null
  return (
    <>
      <span class="typing" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span data-typing>{words.typing(names)}</span>
    </>
  )
}
