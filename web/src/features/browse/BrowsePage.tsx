import { useEffect, useRef, useState } from 'preact/hooks'
import type { PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import { PageBack } from '../../common/PageBack.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { usePublicChannels } from '../../common/use-public-channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { joinChannel } from '../../net/channels/public-channels.ts'
import type { PublicChannelSort } from '../../net/requests/lazy-endpoints.ts'
import { hashOf } from '../../store/route.ts'
import { isMac, isPhone, me, panel } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { BrowseRow, mayJoin } from './BrowseRow.tsx'
import { openNewChannel } from './open-browse.ts'
import { type Filter, totalIn } from './total-in.ts'
import { useArchivedPrivate } from './use-archived-private.ts'
import '../../ui/page.css'
import './browse.css'

const FILTERS: Filter[] = ['all', 'not-joined', 'archived']
const SORTS: PublicChannelSort[] = ['newest', 'members', 'name']

/** The public channels of the workspace: found by name and topic, joined and opened here. */
export function BrowsePage() {
  const [typed, setTyped] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [sort, setSort] = useState<PublicChannelSort>('newest')
  // The whole list comes first: its number stands beside that of what is found.
  const [isListed, setListed] = useState(false)
  const words = isListed ? typed.trim() : ''
  const found = usePublicChannels({ words, sort, archived: filter === 'archived' })
  const ownArchived = useArchivedPrivate(filter === 'archived', words)
  const items = [...ownArchived.items, ...found.items.filter(one => isShown(one, filter))]
  const isComplete = found.isOfKind && (filter !== 'archived' || ownArchived.total !== undefined)
  const count = found.next === null && isComplete ? items.length : undefined
  const listed = useTotal(filter, words === '' && found.isOfWords ? count : undefined)
  const total = listed ?? totalIn(filter, found.counts, ownArchived.total)
  const sentence = count === undefined ? undefined : sentenceOf(count, words === '' ? undefined : total)
  useCloseOnLeaving()
  const isFirstHere = found.next !== undefined || found.hasFailed
  useEffect(() => {
    if (isFirstHere) setListed(true)
  }, [isFirstHere])
  useEffect(() => {
    if (words !== '' && found.isOfWords && sentence !== undefined) announce(sentence)
  }, [words, found.isOfWords, sentence])

  const join = async ({ channel }: PublicChannelPayload) => {
    if (!(await joinChannel(channel))) return
    found.change(one => one.channel === channel, { joined: true })
    announce(strings.browse.joined)
  }
  const { at, onKeyDown } = usePicked(items, `${filter} ${sort} ${words}`, join)
  const field = {
    value: typed,
    set: setTyped,
    at: items.length > 0 ? at : undefined,
    count: sentence,
    onKeyDown,
  }
  return (
    <main class="panel page" aria-label={strings.browse.title} data-region="panel">
      <div class="panel-head">
        <PageBack />
        <Icon name="hash" size={20} />
        <h1>{strings.browse.title}</h1>
        {total !== undefined && !isPhone.value && <span class="hint page-count">{total}</span>}
        {me.value?.may.includes('create_channels') && (
          <button type="button" class="button button-primary" onClick={() => openNewChannel()}>
            <Icon name="plus" size={16} />
            {strings.browse.create}
          </button>
        )}
      </div>
      <div class="panel-results">
        <div class="page-column">
          <BrowseField {...field} />
          <Filters filter={filter} setFilter={setFilter} sort={sort} setSort={setSort} />
          <PagesStart {...found} />
          {items.length > 0 && (
            // The field keeps the focus.
            <div
              id={LIST}
              role="grid"
              aria-label={strings.browse.title}
              onMouseDown={event => event.preventDefault()}
            >
              {items.map((one, index) => (
                <BrowseRow
                  key={one.channel}
                  id={rowId(index)}
                  channel={one}
                  words={words}
                  isPicked={index === at}
                  join={() => void join(one)}
                />
              ))}
            </div>
          )}
          {found.hasFailed || ownArchived.hasFailed ? (
            <Failed again={found.hasFailed ? found.again : ownArchived.again} />
          ) : (
            <PagesEnd {...found} />
          )}
          {count === 0 && <NoMatch words={words} />}
          {filter !== 'archived' && count !== undefined && count > 0 && (
            <p class="hint browse-note">{strings.browse.privateNote}</p>
          )}
        </div>
      </div>
      {!isPhone.value && <KeyBar />}
    </main>
  )
}

function Failed({ again }: { again: () => void }) {
  return (
    <div class="empty-state" role="alert">
      <p>{strings.browse.failed}</p>
      <button type="button" class="button" onClick={again}>
        {strings.tryAgain}
      </button>
    </div>
  )
}

/** The keys of the field, drawn; `BrowseField` has them in words. */
function KeyBar() {
  const texts = strings.browse
  const keys: [string[], string][] = [
    [['↑', '↓'], texts.move],
    [[strings.keys.enter], texts.open],
    [[isMac ? '⌘' : strings.keys.ctrl, strings.keys.enter], texts.joinHere],
  ]
  return (
    <div class="panel-foot" aria-hidden="true">
      {keys.map(([caps, label]) => (
        <span key={label}>
          <span class="key-caps">
            {caps.map(cap => (
              <kbd key={cap}>{cap}</kbd>
            ))}
          </span>
          {label}
        </span>
      ))}
      <span class="browse-escape">
        <kbd>Esc</kbd>
        {strings.back}
      </span>
    </div>
  )
}

/** Number of channels in the whole list; the last known one while words are typed. */
function useTotal(filter: Filter, count: number | undefined): number | undefined {
  const known = useRef<Partial<Record<Filter, number>>>({})
  if (count !== undefined) known.current[filter] = count
  return known.current[filter]
}

const sentenceOf = (count: number, of: number | undefined) =>
  of === undefined || of < count ? strings.browse.count(count) : strings.browse.countOf(count, of)

const LIST = 'browse-list'
const KEYS = 'browse-keys'
const rowId = (index: number) => `browse-row-${index}`

/** Arrows pick a row, Enter opens it, Ctrl+Enter joins and stays. A new `search` starts at the first row. */
function usePicked(
  items: PublicChannelPayload[],
  search: string,
  join: (channel: PublicChannelPayload) => Promise<void>,
) {
  const [picked, setPicked] = useState({ search, at: 0 })
  if (picked.search !== search) setPicked({ search, at: 0 })
  const at = Math.min(picked.at, Math.max(items.length - 1, 0))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const one = items[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const to = Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), items.length - 1)
      setPicked({ search, at: to })
      document.getElementById(rowId(to))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && one) {
      event.preventDefault()
      if (!event.ctrlKey && !event.metaKey) {
        close()
        location.hash = hashOf(one.channel)
      } else if (mayJoin(one)) void join(one)
    }
  }
  return { at, onKeyDown }
}

interface FieldProps {
  value: string
  set: (value: string) => void
  /** The picked row; undefined if there is none. */
  at: number | undefined
  /** Undefined while more may follow. */
  count: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
}

function BrowseField({ value, set, at, count, onKeyDown }: FieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const texts = strings.browse
  return (
    <>
      <div class="input browse-field">
        <Icon name="search" size={16} />
        <input
          ref={field}
          value={value}
          placeholder={texts.field}
          role="combobox"
          aria-label={texts.field}
          aria-haspopup="grid"
          aria-autocomplete="list"
          aria-expanded={at !== undefined}
          aria-controls={LIST}
          aria-activedescendant={at === undefined ? undefined : rowId(at)}
          aria-describedby={isPhone.value ? undefined : KEYS}
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          onInput={event => set(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {count !== undefined && (
          <span class="hint tabular-numbers" aria-hidden="true">
            {count}
          </span>
        )}
      </div>
      {!isPhone.value && (
        <p class="visually-hidden" id={KEYS}>
          {texts.keys(isMac ? '⌘' : strings.keys.ctrl)}
        </p>
      )}
    </>
  )
}

const isShown = ({ joined, archived }: PublicChannelPayload, filter: Filter) =>
  filter === 'archived' ? archived : filter === 'all' || !joined

const close = () => {
  panel.value = undefined
}

function NoMatch({ words }: { words: string }) {
  return (
    <div class="empty-state">
      <Icon name="hash" size={24} />
      <p>{words === '' ? strings.browse.none : strings.browse.noMatch(words)}</p>
      {words !== '' && me.value?.may.includes('create_channels') && (
        <button type="button" class="button" onClick={() => openNewChannel({ name: words })}>
          {strings.browse.createNamed(words)}
        </button>
      )}
    </div>
  )
}

interface FiltersProps {
  filter: Filter
  setFilter: (filter: Filter) => void
  sort: PublicChannelSort
  setSort: (sort: PublicChannelSort) => void
}

function Filters({ filter, setFilter, sort, setSort }: FiltersProps) {
  return (
    <div class="browse-filters">
      {FILTERS.map(one => (
        <button
          type="button"
          key={one}
          class={one === filter ? 'filter-chip is-on' : 'filter-chip'}
          aria-pressed={one === filter}
          onClick={() => setFilter(one)}
        >
          {strings.browse.filters[one]}
        </button>
      ))}
      <button
        type="button"
        class="button"
        aria-haspopup="menu"
        onClick={event =>
          openPopover(
            event.currentTarget,
            strings.browse.order,
            closeMenu => (
              <MenuItems
                close={closeMenu}
                items={SORTS.map(one => ({
                  label: strings.browse.sorts[one],
                  checked: one === sort,
                  run: () => setSort(one),
                }))}
              />
            ),
            { role: 'menu' },
          )
        }
      >
        {strings.browse.sorts[sort]}
        <Icon name="chev-down" size={14} />
      </button>
    </div>
  )
}
