import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SearchResultPayload } from '#shared/domain/payloads.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { plainText } from '../../common/markup.ts'
import { strings } from '../../i18n/i18n.ts'
import { searchMessages } from '../../net/endpoints.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { openChannel, showMessage } from '../../net/open-channel.ts'
import { current } from '../../store/channels.ts'
import { dayOf } from '../../store/items.ts'
import { nameOf } from '../../store/names.ts'
import { hashOf } from '../../store/route.ts'
import { marked } from '../../store/selectors.ts'
import { isPhone, panel } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Option } from '../../ui/Option.tsx'
import { askedWords } from './open-search.ts'
import { noteSearch, recentSearches } from './recent-searches.ts'
import { type Filters, SearchFilters, startOfDay } from './SearchFilters.tsx'
import './SearchPanel.css'

const WAIT = 200
const MOST_RESULTS = 50

/** Beside the messages, so that results show in place. Old results stay until new ones arrive. */
export function SearchPanel() {
  const [typed, setTyped] = useState('')
  const [filters, setFilters] = useState<Filters>({ channel: undefined, from: undefined, start: '', end: '' })
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const asks = typed.trim() !== '' || Object.values(filters).some(Boolean)
  const { results, failed } = useResults(typed, filters, asks, () => setAt(0))

  // A layout effect, so that the next key reaches the field.
  useLayoutEffect(() => field.current?.focus(), [])
  const asked = askedWords.value
  useLayoutEffect(() => {
    if (asked === undefined) return
    askedWords.value = undefined
    setTyped(asked)
    field.current?.focus()
  }, [asked])
  useEffect(() => document.getElementById(`result-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])

  const close = () => {
    panel.value = undefined
  }
  const earlier = asks ? [] : recentSearches.value
  const choices = results ?? earlier
  const pick = (result: SearchResultPayload) => {
    if (typed.trim() !== '') noteSearch(typed.trim())
    show(result)
  }
  const askAgain = (before: string) => {
    setTyped(before)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || choices.length === 0) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt(Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), choices.length - 1))
    } else if (event.key === 'Enter' && choices[at] !== undefined) {
      event.preventDefault()
      if (results?.[at]) pick(results[at])
      else askAgain(earlier[at]!)
    }
  }

  return (
    <aside class="panel" aria-label={strings.search.label} data-region="panel">
      <div class="panel-head search-head" role="search">
        <div class="input input-small">
          <Icon name="search" size={16} />
          <input
            ref={field}
            value={typed}
            placeholder={strings.search.field}
            aria-label={strings.search.field}
            role="combobox"
            aria-expanded={choices.length > 0}
            aria-controls="results"
            aria-activedescendant={choices[at] !== undefined ? `result-${at}` : undefined}
            autocomplete="off"
            onInput={event => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          {typed !== '' && (
            <IconButton
              icon="x"
              label={strings.search.clear}
              size={24}
              onClick={() => {
                setTyped('')
                field.current?.focus()
              }}
            />
          )}
        </div>
        <IconButton icon="x" label={strings.search.close} onClick={close} />
      </div>
      <SearchFilters filters={filters} onChange={setFilters} here={current.value?.id} />
      {results === undefined && earlier.length > 0 && <Earlier words={earlier} at={at} pick={askAgain} />}
      <Results
        results={results}
        typed={typed}
        at={at}
        pick={pick}
        failed={failed}
        filters={filters}
        widen={() => setFilters({ ...filters, channel: undefined })}
      />
      {results !== undefined && results.length > 0 && (
        <div class="panel-foot">
          <span aria-hidden="true">
            <span class="key-caps">
              <kbd>↑</kbd>
              <kbd>↓</kbd>
            </span>{' '}
            {strings.search.move}
          </span>
          <span aria-hidden="true">
            <kbd>Enter</kbd> {strings.search.show}
          </span>
          <span class="tabular-numbers">{strings.search.results(results.length)}</span>
        </div>
      )}
    </aside>
  )
}

/** Searches once typing pauses. Old results stay until new ones arrive; `found` is called with them. */
function useResults(typed: string, filters: Filters, asks: boolean, found: () => void) {
  const [results, setResults] = useState<SearchResultPayload[] | undefined>(undefined)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!asks) {
      setResults(undefined)
      setFailed(false)
      return
    }
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const next = await searchMessages(queryOf(typed, filters), abort.signal)
        setResults(next)
        setFailed(false)
        found()
        announce(strings.search.results(next.length))
      } catch (error) {
        if (abort.signal.aborted) return
        tolerateFailure(error)
        setFailed(true)
      }
    }, WAIT)
    // Ignores the response to an outdated query.
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [typed, filters])
  return { results, failed }
}

interface EarlierProps {
  words: string[]
  at: number
  pick: (before: string) => void
}

/** Earlier successful searches, shown while the field is empty. */
function Earlier({ words: before, at, pick }: EarlierProps) {
  return (
    <div class="panel-results-before" role="listbox" id="results" aria-label={strings.search.recent}>
      <div class="result-day" role="presentation">
        {strings.search.recent}
      </div>
      {before.map((one, index) => (
        <Option key={one} id={`result-${index}`} chosen={index === at} pick={() => pick(one)}>
          <Icon name="clock" size={16} />
          <bdi>{one}</bdi>
        </Option>
      ))}
    </div>
  )
}

interface ResultsProps {
  results: SearchResultPayload[] | undefined
  typed: string
  at: number
  pick: (result: SearchResultPayload) => void
  failed: boolean
  filters: Filters
  widen: () => void
}

function Results({ results, typed, at, pick, failed, filters, widen }: ResultsProps) {
  if (failed) return <p class="search-note">{strings.search.failed}</p>
  if (results === undefined) return <p class="search-note">{strings.search.hint}</p>
  if (results.length === 0) {
    return (
      <div class="empty-state">
        <Icon name="search" size={24} />
        <b>{strings.search.nothing(typed.trim())}</b>
        <p>{strings.search.nothingMore}</p>
        {filters.channel !== undefined && (
          <button type="button" class="button" onClick={widen}>
            {strings.search.everywhere}
          </button>
        )}
      </div>
    )
  }
  let day = ''
  return (
    <div class="panel-results" role="listbox" id="results" aria-label={strings.search.resultsLabel}>
      {results.map((result, index) => {
        const isNewDay = dayOf(result.ts) !== day
        day = dayOf(result.ts)
        return (
          <>
            {isNewDay && (
              <div class="result-day" role="presentation">
                {strings.date(result.ts)}
              </div>
            )}
            <Option
              id={`result-${index}`}
              look="result"
              chosen={index === at}
              messageId={result.id}
              pick={() => pick(result)}
            >
              <Avatar name={result.sender} size={24} />
              <div>
                <div class="result-head">
                  <PersonName name={result.sender} />
                  <span class="result-place">
                    {filters.channel === undefined && strings.mentions.in(nameOf(result.channel))}
                  </span>
                  <time>{strings.time(result.ts)}</time>
                </div>
                <div class="result-text" dir="auto">
                  {marked(around(result.content ?? '', typed), typed).map(part =>
                    part.hit ? <mark>{part.text}</mark> : part.text,
                  )}
                </div>
              </div>
            </Option>
          </>
        )
      })}
      {results.length >= MOST_RESULTS && <p class="search-note">{strings.search.newest(MOST_RESULTS)}</p>}
    </div>
  )
}

function show(result: SearchResultPayload) {
  if (isPhone.peek()) panel.value = undefined
  const hash = hashOf(result.channel, result.id)
  if (location.hash !== hash) location.hash = hash
  else if (current.peek()?.id === result.channel) void showMessage(current.peek()!, result.id)
  else openChannel(result.channel, result.id)
}

function queryOf(typed: string, { channel, from, start, end }: Filters) {
  const query: Parameters<typeof searchMessages>[0] = {}
  if (typed.trim() !== '') query.q = typed.trim()
  if (from) query.from = from
  if (channel) query.channel = channel
  if (start) query.start = startOfDay(start)
  // The end is exclusive: the beginning of the following day.
  if (end) query.end = startOfDay(end, 1)
  return query
}

/** Two lines are shown: of a long text the part around the match. */
function around(content: string, typed: string) {
  const plain = plainText(content)
  // A match within markup shows the source text.
  const text = plain.toLowerCase().includes(typed.trim().toLowerCase()) ? plain : content
  const hit = text.toLowerCase().indexOf(typed.trim().toLowerCase())
  return hit > 80 ? `…${text.slice(hit - 40)}` : text
}
