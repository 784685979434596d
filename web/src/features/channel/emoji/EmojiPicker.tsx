import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { prefer, preferred } from '../../../store/preferences/preferences.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { memo } from '../../../ui/memo.ts'
import { useOneStop } from '../../../ui/one-stop.ts'
import { emojiGroups, noteEmoji, ownEmoji, recentEmoji } from './emoji-list.ts'
import { movedInGrid } from './grid.ts'
import { mayAddEmoji, OwnEmoji } from './OwnEmoji.tsx'
import { findEmoji } from './search.ts'
import type { Emoji } from './table.ts'
import { TONES, toned } from './tones.ts'
import './EmojiPicker.css'

const COLUMNS = 9
const FREQUENT = 9
/** Results beyond these help nobody. */
const MOST_FOUND = 20 * COLUMNS

export interface PickerProps {
  /** A status has no emoji of the workspace. */
  offer: 'reactions' | 'status' | 'all'
  /** Called with the emoji in the chosen tone; for reactions and statuses with its reaction name, if it has one. */
  onPick: (picked: string, keepOpen: boolean) => void
}

interface Section {
  /** Index in the groups of Unicode; -1 for the frequent ones and for results, -2 for those of the workspace. */
  group: number
  title: string
  list: Emoji[]
}

/** Search, frequent emoji and all emoji by group. Arrows move, Enter picks, Shift+Enter picks and stays open. */
export function EmojiPicker({ offer, onPick }: PickerProps) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [sections, setSections] = useState(() => sectionsOf(offer, ''))
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const tone = preferred.skinTone.value
  const [isAdding, setAdding] = useState(false)
  const chosen = sections.flatMap(section => section.list)[at]
  const starts = startsOf(sections)

  // The pop-over gives the focus to the parts that it has when it opens; this one is fetched later.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    grid.current?.querySelector(`#emoji-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const search = (words: string) => {
    setTyped(words)
    setSections(sectionsOf(offer, words))
    setAt(0)
  }
  const pick = (index: number, keepOpen: boolean) => {
    const one = sections.flatMap(section => section.list)[index]
    if (!one) return
    noteEmoji(one.emoji)
    onPick((offer !== 'all' && one.reaction) || shown(one, tone), keepOpen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const isVertical = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    if (isVertical || (isSideways && typed === '')) {
      event.preventDefault()
      const onward = getComputedStyle(grid.current!).direction === 'rtl' ? -1 : 1
      const sizes = sections.map(section => section.list.length)
      setAt(movedInGrid(sizes, COLUMNS, at, event.key, onward))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      pick(at, event.shiftKey)
    }
  }
  const toSection = (index: number) => {
    setAt(starts[index]!)
    grid.current?.querySelector(`[data-section="${index}"]`)?.scrollIntoView()
    field.current?.focus()
  }

  if (isAdding)
    return (
      <div class="emoji-picker">
        <OwnEmoji
          back={() => {
            setAdding(false)
            search('')
            requestAnimationFrame(() => field.current?.focus())
          }}
        />
      </div>
    )
  return (
    <div class="emoji-picker">
      <div class="input input-small">
        <Icon name="search" size={16} />
        <input
          value={typed}
          placeholder={strings.emojiPicker.search}
          aria-label={strings.emojiPicker.search}
          role="combobox"
          aria-expanded="true"
          aria-controls="emoji-list"
          aria-activedescendant={chosen && `emoji-${at}`}
          autocomplete="off"
          ref={field}
          onInput={event => search(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {typed === '' && <Categories sections={sections} starts={starts} at={at} go={toSection} />}
      <Grid box={grid} sections={sections} starts={starts} at={at} tone={tone} point={setAt} pick={pick} />
      {sections.length === 0 && <p class="emoji-picker-none hint">{strings.emojiPicker.nothing}</p>}
      <div class="emoji-picker-foot">
        <Described emoji={chosen} tone={tone} />
        <Tones />
      </div>
      {offer !== 'status' && mayAddEmoji() && (
        <button type="button" class="button button-quiet" onClick={() => setAdding(true)}>
          <Icon name="plus" size={16} />
          {strings.ownEmoji.add}
        </button>
      )}
    </div>
  )
}

function sectionsOf(offer: PickerProps['offer'], typed: string): Section[] {
  const own = offer === 'status' ? [] : ownEmoji()
  const groups = [own, ...emojiGroups]
  const recent = recentEmoji()
  if (typed.trim() !== '') {
    const list = findEmoji(groups.flat(), typed, recent).slice(0, MOST_FOUND)
    return list.length > 0 ? [{ group: -1, title: strings.emojiPicker.results, list }] : []
  }
  const byEmoji = new Map(groups.flat().map(one => [one.emoji, one]))
  const frequent = recent.flatMap(emoji => byEmoji.get(emoji) ?? []).slice(0, FREQUENT)
  return [
    { group: -1, title: strings.emojiPicker.frequent, list: frequent },
    { group: OURS, title: strings.ownEmoji.ours, list: own },
    ...emojiGroups.map((list, group) => ({ group, title: strings.emojiPicker.groups[group]!, list })),
  ].filter(({ list }) => list.length > 0)
}

function startsOf(sections: Section[]): number[] {
  let from = 0
  return sections.map(({ list }) => {
    const start = from
    from += list.length
    return start
  })
}

const shown = ({ emoji, hasTones }: Emoji, tone: number) => (hasTones ? toned(emoji, tone) : emoji)
const labelOf = ({ labels }: Emoji) => labels[document.documentElement.lang === 'de' ? 'de' : 'en']

/** The group of the workspace's own emoji. */
const OURS = -2

/** A character that stands for a group. */
const SIGNS = ['😀', '👋', '🐻', '🍔', '✈️', '⚽', '💡', '❤️', '🏁']

interface CategoryProps {
  sections: Section[]
  starts: number[]
  at: number
  go: (index: number) => void
}

function Categories({ sections, starts, at, go }: CategoryProps) {
  const region = useRef<HTMLDivElement>(null)
  useOneStop(region)
  const here = starts.findLastIndex(start => start <= at)
  return (
    <div ref={region} class="emoji-categories" role="toolbar" aria-label={strings.emojiPicker.categories}>
      {sections.map(({ group, title }, index) => (
        <button
          type="button"
          key={group}
          class={index === here ? 'emoji-category is-on' : 'emoji-category'}
          aria-label={title}
          title={title}
          // The focus stays in the field.
          onMouseDown={event => event.preventDefault()}
          onClick={() => go(index)}
        >
          {group < 0 ? (
            <Icon name={group === OURS ? 'star' : 'clock'} size={18} />
          ) : (
            <span aria-hidden="true">{SIGNS[group]}</span>
          )}
        </button>
      ))}
    </div>
  )
}

interface GridProps {
  box: { current: HTMLDivElement | null }
  sections: Section[]
  starts: number[]
  at: number
  tone: number
  point: (at: number) => void
  pick: (at: number, keepOpen: boolean) => void
}

function Grid({ box, sections, starts, at, tone, point, pick }: GridProps) {
  const under = (event: Event) => {
    const cell = (event.target as Element).closest<HTMLElement>('[role="option"]')
    return cell ? Number(cell.id.slice('emoji-'.length)) : undefined
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and has the keys
    <div
      class="emoji-picker-scroll"
      ref={box}
      role="listbox"
      id="emoji-list"
      aria-label={strings.picker.emojiLabel}
      onPointerMove={event => {
        const index = under(event)
        if (index !== undefined && index !== at) point(index)
      }}
      onClick={event => {
        const index = under(event)
        if (index !== undefined) pick(index, event.shiftKey)
      }}
    >
      {sections.map(({ group, title, list }, index) => {
        const start = starts[index]!
        const on = at >= start && at < start + list.length ? at : -1
        return (
          <GroupCells key={group} index={index} title={title} list={list} from={start} on={on} tone={tone} />
        )
      })}
    </div>
  )
}

interface CellsProps {
  index: number
  title: string
  list: Emoji[]
  /** Index of the first cell. */
  from: number
  /** Index of the marked cell; -1 if it is in another group. */
  on: number
  tone: number
}

const stay = (event: Event) => event.preventDefault()

/** Skips the groups that the mark has not moved in: there are almost two thousand cells. */
const GroupCells = memo<CellsProps>(
  ({ index, title, list, from, on, tone }) => (
    <div
      role="group"
      class="emoji-group"
      aria-label={title}
      data-section={index}
      style={{ '--rows': Math.ceil(list.length / COLUMNS) }}
    >
      <div class="popover-title" aria-hidden="true">
        {title}
      </div>
      <div class="emoji-grid" role="presentation">
        {list.map((one, offset) => (
          <div
            key={one.emoji}
            id={`emoji-${from + offset}`}
            class={from + offset === on ? 'emoji-cell is-on' : 'emoji-cell'}
            role="option"
            aria-selected={from + offset === on}
            aria-label={labelOf(one)}
            tabIndex={-1}
            // The focus stays in the field.
            onMouseDown={stay}
          >
            {one.isOwn ? <EmojiSign name={one.name} /> : shown(one, tone)}
          </div>
        ))}
      </div>
    </div>
  ),
  (before, after) =>
    before.list === after.list &&
    before.on === after.on &&
    before.from === after.from &&
    before.tone === after.tone,
)

function Described({ emoji, tone }: { emoji: Emoji | undefined; tone: number }) {
  if (!emoji) return <span class="grow" />
  return (
    <>
      <span class="emoji" aria-hidden="true">
        {emoji.isOwn ? <EmojiSign name={emoji.name} /> : shown(emoji, tone)}
      </span>
      <span class="emoji-picker-name" aria-hidden="true">
        <b>{labelOf(emoji)}</b>
        <span>:{emoji.name}:</span>
      </span>
    </>
  )
}

function Tones() {
  return (
    <fieldset class="emoji-tones">
      <legend class="visually-hidden">{strings.emojiPicker.tone}</legend>
      {TONES.map((modifier, tone) => (
        <label key={modifier} title={strings.emojiPicker.tones[tone]}>
          <input
            type="radio"
            name="skin-tone"
            class="visually-hidden"
            aria-label={strings.emojiPicker.tones[tone]}
            checked={preferred.skinTone.value === tone}
            onChange={() => prefer({ skinTone: tone })}
          />
          <span aria-hidden="true">{toned('👏', tone)}</span>
        </label>
      ))}
    </fieldset>
  )
}
