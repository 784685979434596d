import type { ComponentChildren } from 'preact'
import { type FilterName, filterToken } from '#shared/domain/search-query.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { nameOf } from '../../store/channels/names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { chipText, placeValue } from './chip-text.ts'
import { ChannelChooser, KindChooser, PersonChooser } from './choosers.tsx'
import { DateChooser } from './DateChooser.tsx'
import { tokenOf } from './query-parts.ts'

interface Props {
  chips: readonly string[]
  onChange: (chips: readonly string[]) => void
  /** The open channel, offered first. */
  here: ChannelId | undefined
  /** Moves an excluded word back into the field. */
  editWord: (chip: string) => void
  /** Receives the focus of a removed chip. */
  focusField: () => void
}

type Group = 'from' | 'in' | 'date' | 'more'

const GROUPS: Record<FilterName, Group> = {
  from: 'from',
  in: 'in',
  before: 'date',
  after: 'date',
  on: 'date',
  has: 'more',
  is: 'more',
  name: 'more',
}

const isWord = (chip: string) => tokenOf(chip).name === undefined
const groupOf = (chip: string): Group => GROUPS[tokenOf(chip).name ?? 'name']

export function SearchFilters({ chips, onChange, here, editWord, focusField }: Props) {
  const isSet = (group: Group) => chips.some(chip => groupOf(chip) === group)
  const add = (chip: string) => onChange([...new Set([...chips, chip])])
  const remove = (chip: string, button: HTMLElement) => {
    const bar = button.closest('.search-filters')!
    const all = [...bar.querySelectorAll<HTMLElement>('.search-filter.is-set > .search-filter-button')]
    const at = chips.indexOf(chip)
    const next = all[at + 1] ?? all[at - 1]
    // Before the chip is gone, so that no key is lost.
    if (next) next.focus()
    else focusField()
    onChange(chips.filter(one => one !== chip))
  }
  const choose = (anchor: HTMLElement, group: Group, old?: string) =>
    openChooser(anchor, group, here, chip =>
      old === undefined ? add(chip) : onChange([...new Set(chips.map(one => (one === old ? chip : one)))]),
    )
  return (
    <div class="search-filters" role="group" aria-label={strings.search.filters} onKeyDown={onArrow}>
      {chips.map(chip => (
        <Chip
          key={chip}
          text={chipText(chip)}
          isWord={isWord(chip)}
          edit={anchor => (isWord(chip) ? editWord(chip) : choose(anchor, groupOf(chip), chip))}
          remove={button => remove(chip, button)}
        />
      ))}
      {here !== undefined && !isSet('in') && (
        <button
          type="button"
          class="search-filter search-filter-button search-filter-here"
          onClick={() => {
            add(filterToken('in', placeValue(here)))
            focusField()
          }}
        >
          <Icon name="plus" size={14} />
          <span>{strings.search.inChannel(nameOf(here))}</span>
        </button>
      )}
      {!isSet('from') && <Adder label={strings.search.from} open={anchor => choose(anchor, 'from')} />}
      {!isSet('in') && <Adder label={strings.search.in} open={anchor => choose(anchor, 'in')} />}
      {!isSet('date') && <Adder label={strings.search.date} open={anchor => choose(anchor, 'date')} />}
      <Adder label={strings.search.more} open={anchor => choose(anchor, 'more')} />
    </div>
  )
}

function openChooser(
  anchor: HTMLElement,
  group: Group,
  here: ChannelId | undefined,
  take: (chip: string) => void,
) {
  const label = {
    from: strings.search.from,
    in: strings.search.in,
    date: strings.search.date,
    more: strings.search.more,
  }
  openPopover(anchor, label[group], close => {
    const choose = (chip: string) => {
      close()
      take(chip)
    }
    if (group === 'from') return <PersonChooser choose={choose} />
    if (group === 'in') return <ChannelChooser here={here} choose={choose} />
    return group === 'date' ? <DateChooser choose={choose} /> : <KindChooser choose={choose} />
  })
}

/** Left and right move among the buttons. */
function onArrow(event: KeyboardEvent) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const bar = event.currentTarget as HTMLElement
  const buttons = [...bar.querySelectorAll<HTMLElement>('button')]
  const direction = getComputedStyle(bar).direction === 'rtl' ? -step : step
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + direction]
  if (!next) return
  event.preventDefault()
  next.focus()
}

interface ChipProps {
  text: string
  /** An excluded word: no dialog has its choices. */
  isWord: boolean
  edit: (anchor: HTMLElement) => void
  remove: (button: HTMLElement) => void
}

function Chip({ text, isWord, edit, remove }: ChipProps) {
  const label = strings.search.remove(text)
  return (
    <span class="search-filter is-set">
      <button
        type="button"
        class="search-filter-button"
        aria-haspopup={isWord ? undefined : 'dialog'}
        onClick={event => edit(event.currentTarget)}
        onKeyDown={event => {
          if (event.key !== 'Delete' && event.key !== 'Backspace') return
          event.preventDefault()
          remove(event.currentTarget)
        }}
      >
        <bdi>{text}</bdi>
      </button>
      <button
        type="button"
        class="search-filter-clear"
        aria-label={label}
        title={label}
        onClick={event => remove(event.currentTarget)}
      >
        <Icon name="x" size={14} />
      </button>
    </span>
  )
}

function Adder({ label, open }: { label: ComponentChildren; open: (anchor: HTMLElement) => void }) {
  return (
    <span class="search-filter">
      <button
        type="button"
        class="search-filter-button"
        aria-haspopup="dialog"
        onClick={event => open(event.currentTarget)}
      >
        <span>{label}</span>
        <Icon name="chev-down" size={14} />
      </button>
    </span>
  )
}
