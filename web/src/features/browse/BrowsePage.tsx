import { useEffect, useRef, useState } from 'preact/hooks'
import type { PublicChannelPayload } from '#shared/domain/payloads.ts'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { usePublicChannels } from '../../common/use-public-channels.ts'
import { strings } from '../../i18n/i18n.ts'
import type { PublicChannelSort } from '../../net/lazy-endpoints.ts'
import { joinChannel } from '../../net/public-channels.ts'
import { me, panel } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { BrowseRow } from './BrowseRow.tsx'
import { openNewChannel } from './open-browse.ts'
import { useArchivedPrivate } from './use-archived-private.ts'
import '../../ui/page.css'
import './browse.css'

const FILTERS = ['all', 'not-joined', 'archived'] as const
type Filter = (typeof FILTERS)[number]
const SORTS: PublicChannelSort[] = ['newest', 'members', 'name']

/** The public channels of the workspace: found by name and topic, joined and opened here. */
export function BrowsePage() {
  const [typed, setTyped] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [sort, setSort] = useState<PublicChannelSort>('newest')
  const page = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const words = typed.trim()
  const found = usePublicChannels({ words, sort, archived: filter === 'archived' })
  const ownArchived = useArchivedPrivate(filter === 'archived', words)
  const items = [...ownArchived, ...found.items.filter(one => isShown(one, filter))]
  const count = found.next === null ? items.length : undefined
  useEffect(() => field.current?.focus(), [])
  useCloseOnLeaving()
  useEffect(() => {
    if (words !== '' && count !== undefined) announce(strings.browse.found(count))
  }, [words, count])

  const join = async ({ channel }: PublicChannelPayload) => {
    if (!(await joinChannel(channel))) return
    found.change(one => one.channel === channel, { joined: true })
    announce(strings.browse.joined)
  }
  const onKey = (event: KeyboardEvent) => onListKey(event, page.current!, field.current!)
  return (
    <main class="panel page" aria-label={strings.browse.title} data-region="panel" ref={page}>
      <div class="panel-head">
        <Icon name="hash" size={20} />
        <h1>{strings.browse.title}</h1>
        {me.value?.may.includes('create_channels') && (
          <button type="button" class="button button-primary" onClick={() => openNewChannel()}>
            <Icon name="plus" size={16} />
            {strings.browse.create}
          </button>
        )}
        <IconButton icon="x" label={strings.browse.close} onClick={close} />
      </div>
      <div class="panel-results">
        <div class="page-column">
          <div class="input browse-field">
            <Icon name="search" size={16} />
            <input
              ref={field}
              value={typed}
              placeholder={strings.browse.field}
              aria-label={strings.browse.field}
              autocomplete="off"
              spellcheck={false}
              maxLength={100}
              onInput={event => setTyped(event.currentTarget.value)}
              onKeyDown={onKey}
            />
            {count !== undefined && (
              <span class="hint tabular-numbers" aria-hidden="true">
                {strings.browse.count(count)}
              </span>
            )}
          </div>
          <Filters filter={filter} setFilter={setFilter} sort={sort} setSort={setSort} />
          <ul class="browse-list">
            {items.map(one => (
              <BrowseRow
                key={one.channel}
                channel={one}
                words={words}
                join={() => void join(one)}
                onKeyDown={onKey}
              />
            ))}
          </ul>
          {found.hasFailed ? (
            <div class="empty-state" role="alert">
              <p>{strings.browse.failed}</p>
              <button type="button" class="button" onClick={found.again}>
                {strings.tryAgain}
              </button>
            </div>
          ) : (
            typeof found.next === 'string' && (
              <ListEnd key={found.items.length} more={() => void found.more()} />
            )
          )}
          {count === 0 && <NoMatch words={words} />}
          {count !== undefined && count > 0 && <p class="hint browse-note">{strings.browse.privateNote}</p>}
        </div>
      </div>
    </main>
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
        <button type="button" class="button" onClick={() => openNewChannel(words)}>
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

/** Arrows go through the field and the rows; a letter on a row continues the search. */
function onListKey(event: KeyboardEvent, page: HTMLElement, field: HTMLInputElement) {
  const stops = [field, ...page.querySelectorAll<HTMLElement>('.browse-row-link')]
  const at = stops.findIndex(stop => stop === event.target)
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && at !== -1) {
    event.preventDefault()
    const row = stops[Math.max(at, 1)]?.closest('.browse-row')
    row?.querySelector<HTMLElement>('[data-join]')?.click()
  } else if (event.key === 'Enter' && at === 0) {
    const first = stops[1]?.getAttribute('href')
    if (!first) return
    close()
    location.hash = first
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && at !== -1) {
    event.preventDefault()
    stops[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), stops.length - 1)]?.focus()
  } else if (at > 0 && event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
    field.focus()
  }
}
