import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SearchHitPayload } from '#shared/domain/payloads/search.ts'
import { strings } from '../../i18n/i18n.ts'
import { openChannel, showMessage } from '../../net/channels/open-channel.ts'
import type { SearchSort } from '../../net/requests/lazy-endpoints.ts'
import { current } from '../../store/channels/channels.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Option } from '../../ui/Option.tsx'
import { problemText } from './chip-text.ts'
import { askedWords, shownWords } from './open-search.ts'
import {
  filterBeingTyped,
  partsOf,
  type QueryParts,
  queryOf,
  tokenOf,
  withChips,
  withoutToken,
} from './query-parts.ts'
import { FailureNote, Nothing, ResultList } from './Results.tsx'
import { noteSearch, recentSearches } from './recent-searches.ts'
import { SearchField } from './SearchField.tsx'
import { SearchFilters } from './SearchFilters.tsx'
import { isWhole, suggestionsFor } from './suggestions.tsx'
import { type Search, useSearch } from './use-search.ts'
import './SearchPanel.css'

/** Beside the messages, so that results show in place. */
export function SearchPanel() {
  const [parts, setParts] = useState<QueryParts>({ chips: [], typed: '' })
  const [sort, setSort] = useState<SearchSort>('newest')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useQueryFromElsewhere(setParts, field)

  const half = halfTyped(parts.typed)
  const query = half ? queryOf({ ...parts, typed: withoutToken(parts.typed, half) }) : queryOf(parts)
  const search = useSearch(query, sort, () => setAt(0))
  useEffect(() => {
    shownWords.value = query
  }, [query])
  useEffect(() => document.getElementById(`result-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])

  const change = (next: QueryParts) => {
    setParts(next)
    setAt(0)
  }
  const lines = linesOf(parts, search, change, hit => {
    noteSearch(query)
    show(hit)
  })
  const focusField = () => field.current?.focus()
  const clear = () => {
    change({ chips: [], typed: '' })
    focusField()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const taken = withChips(parts, Number.POSITIVE_INFINITY)
    const isAtStart = field.current?.selectionStart === 0 && field.current.selectionEnd === 0
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (event.key === 'ArrowDown' && at === lines.runs.length - 1) search.loadMore()
      setAt(Math.max(0, Math.min(at + (event.key === 'ArrowDown' ? 1 : -1), lines.runs.length - 1)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (!half && taken.chips !== parts.chips) change(taken)
      else if (lines.runs[at]) lines.runs[at]()
      else change(taken)
    } else if (event.key === 'Backspace' && isAtStart && parts.chips.length > 0) {
      event.preventDefault()
      change({ ...parts, chips: parts.chips.slice(0, -1) })
    } else if (event.key === 'ArrowLeft' && isAtStart) {
      focusLastChip(field)
    }
  }

  return (
    <aside class="panel" aria-label={strings.search.label} data-region="panel">
      <div class="panel-head search-head" role="search">
        <SearchField
          field={field}
          typed={parts.typed}
          onInput={(typed, caret) => change(withChips({ ...parts, typed }, caret))}
          onKeyDown={onKeyDown}
          onBlur={() => half || setParts(withChips(parts, Number.POSITIVE_INFINITY))}
          clear={queryOf(parts) === '' ? undefined : clear}
          active={lines.runs[at] && `result-${at}`}
          hasOptions={lines.runs.length > 0}
        />
        <IconButton icon="x" label={strings.search.close} onClick={() => (panel.value = undefined)} />
      </div>
      <SearchFilters
        chips={parts.chips}
        onChange={chips => change({ ...parts, chips })}
        here={current.value?.id}
        editWord={chip => {
          change({
            chips: parts.chips.filter(one => one !== chip),
            typed: `${parts.typed.trim()} ${chip}`.trim(),
          })
          focusField()
        }}
        focusField={focusField}
      />
      <Body {...{ parts, query, sort, at, search, lines }} change={change} />
      {lines.kind === 'results' && <Foot search={search} sort={sort} setSort={setSort} />}
    </aside>
  )
}

/** A filter that is not complete yet does not count. */
function halfTyped(typed: string) {
  const token = filterBeingTyped(typed)
  return token && !isWhole(token) ? token : undefined
}

/** Takes the query of an address, a recent search or the switcher. */
function useQueryFromElsewhere(
  setParts: (parts: QueryParts) => void,
  field: RefObject<HTMLInputElement | null>,
) {
  // A layout effect, so that the next key reaches the field.
  useLayoutEffect(() => field.current?.focus(), [])
  const asked = askedWords.value
  useLayoutEffect(() => {
    if (asked === undefined) return
    askedWords.value = undefined
    setParts(partsOf(asked))
    field.current?.focus()
  }, [asked])
}

function focusLastChip(field: RefObject<HTMLInputElement | null>) {
  const bar = field.current?.closest('.panel')?.querySelector('.search-filters')
  const chips = bar?.querySelectorAll<HTMLElement>('.search-filter.is-set > .search-filter-button')
  chips?.[chips.length - 1]?.focus()
}

interface Lines {
  kind: 'suggestions' | 'results' | 'recent'
  /** Contents of suggestions and recent searches. */
  shown: { key: string; line: ComponentChildren }[]
  /** The act of each line. */
  runs: (() => void)[]
}

/** The lines that the arrows move through. */
function linesOf(
  parts: QueryParts,
  { found }: Search,
  change: (parts: QueryParts) => void,
  pick: (hit: SearchHitPayload) => void,
): Lines {
  const half = halfTyped(parts.typed)
  const suggestions = half ? suggestionsFor(half, current.value?.id) : []
  if (half && suggestions.length > 0) {
    return {
      kind: 'suggestions',
      shown: suggestions.map(({ chip, line }) => ({ key: chip, line })),
      runs: suggestions.map(({ chip }) => () => {
        const typed = withoutToken(parts.typed, half)
        change({ chips: [...new Set([...parts.chips, chip])], typed: typed && `${typed} ` })
      }),
    }
  }
  if (queryOf(parts) === '') {
    return {
      kind: 'recent',
      shown: recentSearches.value.map(one => ({ key: one, line: <RecentLine query={one} /> })),
      runs: recentSearches.value.map(one => () => change(partsOf(one))),
    }
  }
  return { kind: 'results', shown: [], runs: (found?.items ?? []).map(hit => () => pick(hit)) }
}

function RecentLine({ query }: { query: string }) {
  return (
    <>
      <Icon name="clock" size={16} />
      <bdi>{query}</bdi>
    </>
  )
}

interface BodyProps {
  parts: QueryParts
  query: string
  sort: SearchSort
  at: number
  search: Search
  lines: Lines
  change: (parts: QueryParts) => void
}

function Body({ parts, query, sort, at, search, lines, change }: BodyProps) {
  const { found, failure } = search
  if (lines.kind !== 'results' && lines.runs.length > 0) return <LineList lines={lines} at={at} />
  const channels = parts.chips.filter(chip => tokenOf(chip).name === 'in')
  const withoutChannels = { ...parts, chips: parts.chips.filter(chip => !channels.includes(chip)) }
  const pick = (hit: SearchHitPayload) => lines.runs[found!.items.indexOf(hit)]?.()
  return (
    <>
      {search.problems.length > 0 && (
        <div class="search-problems" role="status">
          {search.problems.map(problem => (
            <p key={problem.token}>{problemText(problem)}</p>
          ))}
        </div>
      )}
      {failure && !found && <FailureNote failure={failure} tryAgain={search.tryAgain} />}
      {!failure && !found && <p class="search-note">{strings.search.hint}</p>}
      {found?.items.length === 0 && !search.isOfQuery && !failure && (
        <p class="search-note" role="status">
          {strings.search.searching}
        </p>
      )}
      {found?.items.length === 0 && search.isOfQuery && (
        <Nothing
          {...{ query, found, sort, search }}
          widen={channels.length > 0 ? () => change(withoutChannels) : undefined}
        />
      )}
      {found && found.items.length > 0 && (
        <ResultList
          {...{ found, sort, at, pick, search }}
          isInOneChannel={channels.length === 1 && !channels[0]!.startsWith('-')}
        />
      )}
    </>
  )
}

/** Suggestions, or earlier successful searches while the field is empty. */
function LineList({ lines, at }: { lines: Lines; at: number }) {
  const label = lines.kind === 'recent' ? strings.search.recent : strings.search.suggestions
  return (
    <div class="panel-results-before" role="listbox" id="results" aria-label={label}>
      <div class="result-day" role="presentation">
        {label}
      </div>
      {lines.shown.map(({ key, line }, index) => (
        <Option key={key} id={`result-${index}`} chosen={index === at} pick={lines.runs[index]!}>
          {line}
        </Option>
      ))}
    </div>
  )
}

interface FootProps {
  search: Search
  sort: SearchSort
  setSort: (sort: SearchSort) => void
}

function Foot({ search: { found }, sort, setSort }: FootProps) {
  if (!found || found.items.length === 0) return null
  return (
    <div class="panel-foot">
      <span aria-hidden="true">
        <span class="key-caps">
          <kbd>↑</kbd>
          <kbd>↓</kbd>
        </span>
      </span>
      <span aria-hidden="true">
        <kbd>{strings.keys.enter}</kbd> {strings.search.show}
      </span>
      <button
        type="button"
        class="search-sort"
        onClick={() => setSort(sort === 'newest' ? 'oldest' : 'newest')}
      >
        <Icon name={sort === 'newest' ? 'arrow-down' : 'chev-up'} size={14} />
        {sort === 'newest' ? strings.search.newestFirst : strings.search.oldestFirst}
      </button>
      <span class="tabular-numbers">
        {strings.search.total(Math.max(found.total, found.items.length), found.total_is === 'more')}
      </span>
    </div>
  )
}

function show(hit: SearchHitPayload) {
  if (isPhone.peek()) panel.value = undefined
  const hash = hashOf(hit.channel, hit.id)
  if (location.hash !== hash) location.hash = hash
  else if (current.peek()?.id === hit.channel) void showMessage(current.peek()!, hit.id)
  else openChannel(hit.channel, hit.id)
}
