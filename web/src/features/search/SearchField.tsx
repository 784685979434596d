import type { RefObject } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

interface Props {
  field: RefObject<HTMLInputElement | null>
  typed: string
  onInput: (typed: string, caret: number) => void
  onKeyDown: (event: KeyboardEvent) => void
  onBlur: () => void
  clear: (() => void) | undefined
  /** Id of the marked option. */
  active: string | undefined
  hasOptions: boolean
}

export function SearchField({ field, typed, onInput, onKeyDown, onBlur, clear, active, hasOptions }: Props) {
  return (
    <div class="input input-small">
      <Icon name="search" size={16} />
      <input
        ref={field}
        value={typed}
        placeholder={strings.search.field}
        aria-label={strings.search.field}
        role="combobox"
        aria-expanded={hasOptions}
        aria-controls="results"
        aria-activedescendant={active}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={500}
        onInput={({ currentTarget: { value, selectionStart } }) =>
          onInput(value, selectionStart ?? value.length)
        }
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      {clear && <IconButton icon="x" label={strings.search.clear} size={24} onClick={clear} />}
    </div>
  )
}
