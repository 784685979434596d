import { useEffect, useRef, useState } from 'preact/hooks'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { strings } from '../../i18n/i18n.ts'
import { readList } from '../../store/newest-first.ts'
import { persisted } from '../../store/persisted.ts'
import { Icon } from '../../ui/Icon.tsx'
import { emojiOf, QUICK } from './emoji.ts'
import './ReactionPicker.css'

const COLUMNS = 9
const KEPT = 18
const used = persisted('bothy emoji used')

interface Props {
  onPick: (name: string, keepOpen: boolean) => void
}

/** Search, recent emoji and all emoji. Arrows move, Enter picks, Shift+Enter picks and stays open. */
export function ReactionPicker({ onPick }: Props) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const grid = useRef<HTMLDivElement>(null)
  const wanted = typed.trim().toLowerCase().replaceAll(':', '').replaceAll(' ', '_')
  const frequent = wanted === '' ? recently() : []
  const found = [...REACTION_EMOJI.keys()].filter(name => name.includes(wanted))
  const names = [...frequent, ...found]
  const chosen = names[at]

  useEffect(() => {
    grid.current?.querySelector(`#emoji-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const pick = (name: string, keepOpen: boolean) => {
    remember(name)
    onPick(name, keepOpen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const onward = getComputedStyle(grid.current!).direction === 'rtl' ? -1 : 1
    const step = { ArrowDown: COLUMNS, ArrowUp: -COLUMNS, ArrowRight: onward, ArrowLeft: -onward }[event.key]
    if (step !== undefined && (typed === '' || Math.abs(step) > 1)) {
      event.preventDefault()
      setAt(Math.min(Math.max(at + step, 0), names.length - 1))
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      pick(chosen, event.shiftKey)
    }
  }
  const cell = (name: string, index: number) => (
    <button
      type="button"
      key={`${index < frequent.length ? 'used' : 'all'} ${name}`}
      id={`emoji-${index}`}
      class={index === at ? 'is-on' : ''}
      role="option"
      aria-selected={index === at}
      aria-label={name.replaceAll('_', ' ')}
      tabIndex={-1}
      onPointerMove={() => index !== at && setAt(index)}
      onClick={event => pick(name, event.shiftKey)}
    >
      {emojiOf(name)}
    </button>
  )

  return (
    <div class="emoji-picker">
      <div class="input input-small">
        <Icon name="search" size={16} />
        <input
          value={typed}
          placeholder={strings.picker.search}
          aria-label={strings.picker.search}
          role="combobox"
          aria-expanded="true"
          aria-controls="emoji-list"
          aria-activedescendant={chosen === undefined ? undefined : `emoji-${at}`}
          autocomplete="off"
          ref={input => input?.focus({ preventScroll: true })}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        class="emoji-picker-scroll"
        ref={grid}
        role="listbox"
        id="emoji-list"
        aria-label={strings.picker.emojiLabel}
      >
        {frequent.length > 0 && (
          <div role="group" aria-label={strings.picker.frequent}>
            <div class="popover-title" aria-hidden="true">
              {strings.picker.frequent}
            </div>
            <div class="emoji-grid" role="presentation">
              {frequent.map(cell)}
            </div>
          </div>
        )}
        <div role="group" aria-label={wanted === '' ? strings.picker.all : strings.picker.results}>
          <div class="popover-title" aria-hidden="true">
            {found.length === 0
              ? strings.picker.nothing
              : wanted === ''
                ? strings.picker.all
                : strings.picker.results}
          </div>
          <div class="emoji-grid" role="presentation">
            {found.map((name, index) => cell(name, index + frequent.length))}
          </div>
        </div>
      </div>
      <div class="emoji-picker-name" aria-hidden="true">
        {chosen !== undefined && (
          <>
            <span class="emoji">{emojiOf(chosen)}</span>:{chosen}:
          </>
        )}
      </div>
    </div>
  )
}

function recently(): string[] {
  return [...new Set([...readList(used), ...QUICK])].slice(0, KEPT)
}

function remember(name: string) {
  const others = readList(used).filter(other => other !== name)
  used.write(JSON.stringify([name, ...others].slice(0, KEPT)))
}
