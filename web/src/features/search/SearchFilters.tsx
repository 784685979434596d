import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { nameOf } from '../../store/names.ts'
import { compareNames, matchingPeople } from '../../store/selectors.ts'
import { people, privateChannels, publicChannels, shownDms, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Option } from '../../ui/Option.tsx'
import { closePopover, openPopover } from '../../ui/Popover.tsx'
import { passFocus } from '../../ui/pass-focus.ts'

export interface Filters {
  from: Username | undefined
  channel: ChannelId | undefined
  /** As the date fields return them; empty for none. */
  start: string
  end: string
}

interface Props {
  filters: Filters
  onChange: (filters: Filters) => void
  here: ChannelId | undefined
}

export function SearchFilters({ filters, onChange, here }: Props) {
  const { from, channel, start, end } = filters
  const chooseFrom = (anchor: HTMLElement) =>
    openPopover(anchor, strings.search.from, close => (
      <Chooser
        choices={[viewer, ...people.peek()].sort(compareNames)}
        match={matchingPeople}
        show={name => (
          <>
            <Avatar name={name} size={24} />
            <PersonName name={name} />
          </>
        )}
        choose={name => {
          close()
          onChange({ ...filters, from: name })
        }}
      />
    ))
  const chooseChannel = (anchor: HTMLElement) =>
    openPopover(anchor, strings.search.in, close => (
      <Chooser
        choices={[
          ...new Set([
            ...(here ? [here] : []),
            ...publicChannels.peek(),
            ...privateChannels.peek().map(one => one.channel),
            ...shownDms.peek().map(dm => dm.channel),
          ]),
        ]}
        match={(typed, all) => all.filter(id => nameOf(id).toLowerCase().includes(typed.toLowerCase()))}
        show={id => <span>{nameOf(id)}</span>}
        choose={id => {
          close()
          onChange({ ...filters, channel: id })
        }}
      />
    ))
  const chooseDates = (anchor: HTMLElement) =>
    openPopover(anchor, strings.search.anyTime, () => (
      <Dates
        start={start}
        end={end}
        done={(newStart, newEnd) => {
          onChange({ ...filters, start: newStart, end: newEnd })
        }}
      />
    ))

  return (
    <div class="search-filters">
      <Chip
        set={from !== undefined}
        open={chooseFrom}
        remove={strings.search.removePerson}
        clear={() => onChange({ ...filters, from: undefined })}
      >
        {strings.search.from} <b>{from ?? strings.search.anyone}</b>
      </Chip>
      <Chip
        set={channel !== undefined}
        open={chooseChannel}
        remove={strings.search.removeChannel}
        clear={() => onChange({ ...filters, channel: undefined })}
      >
        {channel === undefined ? (
          <>
            {strings.search.in} <b>{strings.search.anywhere}</b>
          </>
        ) : (
          <b>{nameOf(channel)}</b>
        )}
      </Chip>
      <Chip
        set={start !== '' || end !== ''}
        open={chooseDates}
        remove={strings.search.removeDate}
        clear={() => onChange({ ...filters, start: '', end: '' })}
      >
        <b>{datesText(start, end)}</b>
      </Chip>
    </div>
  )
}

/** Local midnight at the beginning of a day, in seconds. */
export function startOfDay(day: string, plus = 0): Seconds {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + plus).getTime() / 1000
}

function datesText(start: string, end: string) {
  const short = (day: string) => strings.search.shortDate(new Date(startOfDay(day) * 1000))
  if (start && end) return strings.search.between(short(start), short(end))
  if (start) return strings.search.since(short(start))
  return end ? strings.search.until(short(end)) : strings.search.anyTime
}

interface ChipProps {
  set: boolean
  open: (anchor: HTMLElement) => void
  remove: string
  clear: () => void
  children: ComponentChildren
}

function Chip({ set, open, remove, clear, children }: ChipProps) {
  return (
    <span class={set ? 'search-filter is-set' : 'search-filter'}>
      <button
        type="button"
        class="search-filter-button"
        aria-haspopup="dialog"
        onClick={event => open(event.currentTarget)}
      >
        <span>{children}</span>
        {!set && <Icon name="chev-down" size={14} />}
      </button>
      {set && (
        <button
          type="button"
          class="search-filter-clear"
          aria-label={remove}
          title={remove}
          onClick={event => {
            passFocus(event.currentTarget, event.currentTarget.previousElementSibling)
            clear()
          }}
        >
          <Icon name="x" size={14} />
        </button>
      )}
    </span>
  )
}

interface ChooserProps {
  choices: string[]
  match: (typed: string, all: string[], recent: string[]) => string[]
  show: (choice: string) => ComponentChildren
  choose: (choice: string) => void
}

function Chooser({ choices, match, show, choose }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = match(typed, choices, []).slice(0, 50)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt(Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), found.length - 1))
    } else if (event.key === 'Enter' && found[at] !== undefined) {
      event.preventDefault()
      choose(found[at])
    }
  }
  return (
    <div class="search-chooser">
      <div class="input input-small">
        <Icon name="search" size={16} />
        <input
          value={typed}
          role="combobox"
          aria-expanded="true"
          aria-controls="chooser-list"
          aria-label={strings.newDm.placeholder}
          aria-activedescendant={found[at] === undefined ? undefined : `chooser-${at}`}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        role="listbox"
        id="chooser-list"
        aria-label={strings.search.resultsLabel}
        class="search-chooser-list"
      >
        {found.map((choice, index) => (
          <Option key={choice} id={`chooser-${index}`} chosen={index === at} pick={() => choose(choice)}>
            {show(choice)}
          </Option>
        ))}
      </div>
    </div>
  )
}

interface DatesProps {
  start: string
  end: string
  done: (start: string, end: string) => void
}

function Dates({ start, end, done }: DatesProps) {
  const [from, setFrom] = useState(start)
  const [to, setTo] = useState(end)
  return (
    <form
      class="search-dates"
      onSubmit={event => {
        event.preventDefault()
        closePopover()
        done(from, to)
      }}
    >
      <label class="field">
        <span class="label">{strings.search.fromDate}</span>
        <span class="input input-small">
          <input
            type="date"
            value={from}
            max={to || undefined}
            onInput={event => setFrom(event.currentTarget.value)}
          />
        </span>
      </label>
      <label class="field">
        <span class="label">{strings.search.toDate}</span>
        <span class="input input-small">
          <input
            type="date"
            value={to}
            min={from || undefined}
            onInput={event => setTo(event.currentTarget.value)}
          />
        </span>
      </label>
      <button type="submit" class="button button-primary">
        {strings.search.field}
      </button>
    </form>
  )
}
