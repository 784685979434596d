import { Fragment } from 'preact'
import type { SearchHitPayload } from '#shared/domain/payloads/search.ts'
import { matchesIn } from '#shared/domain/search-query.ts'
import { imageExtension } from '#shared/domain/uploads.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { plainText } from '../../common/one-line.ts'
import '../../common/PagesBounds.css'
import { MOST_ROWS } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { fileAddress } from '../../net/requests/endpoints.ts'
import type { Failure } from '../../net/requests/failure.ts'
import type { SearchSort } from '../../net/requests/lazy-endpoints.ts'
import { nameOf } from '../../store/channels/names.ts'
import { dayOf } from '../../store/messages/items.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Option } from '../../ui/Option.tsx'
import { type Found, isFull, type Search } from './use-search.ts'

interface ListProps {
  found: Found
  sort: SearchSort
  at: number
  pick: (hit: SearchHitPayload) => void
  isInOneChannel: boolean
  search: Search
}

export function ResultList({ found, sort, at, pick, isInOneChannel, search }: ListProps) {
  return (
    <div class="panel-results">
      {found.isLater && (
        <button type="button" class="button list-start" onClick={search.toStart}>
          {strings.pages.toStart}
        </button>
      )}
      <div role="listbox" id="results" aria-label={strings.search.resultsLabel}>
        {found.items.map((hit, index) => (
          <Fragment key={hit.id}>
            {dayOf(hit.ts) !== dayOf(found.items[index - 1]?.ts ?? 0) && (
              <div class="result-day" role="presentation">
                {strings.date(hit.ts)}
              </div>
            )}
            <Option
              id={`result-${index}`}
              look="result"
              chosen={index === at}
              messageId={hit.id}
              pick={() => pick(hit)}
            >
              <Hit hit={hit} words={found.words} isInOneChannel={isInOneChannel} />
            </Option>
          </Fragment>
        ))}
      </div>
      <More found={found} sort={sort} search={search} />
    </div>
  )
}

interface HitProps {
  hit: SearchHitPayload
  words: string[]
  isInOneChannel: boolean
}

function Hit({ hit, words, isInOneChannel }: HitProps) {
  return (
    <>
      <Avatar name={hit.sender} size={24} />
      <div>
        <div class="result-head">
          <PersonName name={hit.sender} />
          <span class="result-place">{!isInOneChannel && strings.activity.in(nameOf(hit.channel))}</span>
          <time>{strings.time(hit.ts)}</time>
        </div>
        {hit.content && (
          <div class="result-text" dir="auto">
            <Excerpt hit={hit} words={words} />
          </div>
        )}
        {hit.file_name && (
          <div class="result-text">
            <Icon name="file" size={14} /> <Marked text={hit.file_name} words={words} />
          </div>
        )}
        {hit.file && imageExtension(hit.file) && (
          <img
            class="result-image"
            src={fileAddress(hit.file, 360)}
            alt={strings.list.image}
            loading="lazy"
          />
        )}
      </div>
    </>
  )
}

function Marked({ text, words }: { text: string; words: string[] }) {
  let at = 0
  return (
    <bdi>
      {matchesIn(text, words).map(([from, to]) => {
        const before = text.slice(at, from)
        at = to
        return (
          <Fragment key={from}>
            {before}
            <mark>{text.slice(from, to)}</mark>
          </Fragment>
        )
      })}
      {text.slice(at)}
    </bdi>
  )
}

/** Characters before the first match: two lines are shown. */
const BEFORE_MATCH = 40

/** Without markup, unless a match is within it. */
function Excerpt({ hit, words }: { hit: SearchHitPayload; words: string[] }) {
  const plain = plainText(hit.content ?? '')
  const isWhole = words.every(word => matchesIn(plain, [word], 1).length > 0)
  const text = isWhole ? plain : (hit.content ?? '')
  const matches = isWhole ? matchesIn(plain, words) : hit.match
  const first = matches[0]?.[0] ?? 0
  const start = first > 2 * BEFORE_MATCH ? first - BEFORE_MATCH : 0
  let at = start
  return (
    <>
      {start > 0 && '…'}
      {matches.map(([from, to]) => {
        const before = text.slice(at, from)
        at = to
        return (
          <Fragment key={from}>
            {before}
            <mark>{text.slice(from, to)}</mark>
          </Fragment>
        )
      })}
      {text.slice(at)}
    </>
  )
}

/** The way to the next page, or how far an incomplete search looked. */
function More({ found, sort, search }: { found: Found; sort: SearchSort; search: Search }) {
  if (search.failure) return <FailureNote failure={search.failure} tryAgain={search.tryAgain} />
  if (found.next === null) return null
  const { searched_back_to: end } = found
  if (found.isLooking && end !== undefined)
    return (
      <div class="search-more" role="status">
        <p>{strings.search.looking(strings.date(end))}</p>
      </div>
    )
  return (
    <div class="search-more">
      {isFull(found) && <p>{strings.pages.full(MOST_ROWS)}</p>}
      {!found.complete && end !== undefined && <p>{strings.search.searchedTo(strings.date(end))}</p>}
      <button type="button" class="button" disabled={search.isLoadingMore} onClick={search.loadMore}>
        {isFull(found)
          ? strings.pages.goOn
          : found.complete
            ? sort === 'newest'
              ? strings.search.older
              : strings.search.newer
            : strings.search.goOn}
      </button>
    </div>
  )
}

/** The reason in words, and the next step. */
export function FailureNote({ failure, tryAgain }: { failure: Failure; tryAgain: () => void }) {
  const { failures } = strings.search
  const reasons: Record<number, string> = {
    0: failures.offline,
    429: failures.tooMany,
    503: failures.tooSlow,
  }
  return (
    <div class="search-note" role="alert">
      <p>{reasons[failure.status] ?? failures.other}</p>
      <button type="button" class="button" onClick={tryAgain}>
        {strings.tryAgain}
      </button>
    </div>
  )
}

interface NothingProps {
  query: string
  found: Found
  sort: SearchSort
  search: Search
  /** Undefined without a filter by channel. */
  widen: (() => void) | undefined
}

export function Nothing({ query, found, sort, search, widen }: NothingProps) {
  return (
    <div class="empty-state">
      <Icon name="search" size={24} />
      <b>{found.complete ? strings.search.nothing(query) : strings.search.nothingYet(query)}</b>
      {found.complete && <p>{strings.search.nothingMore}</p>}
      {widen && (
        <button type="button" class="button" onClick={widen}>
          {strings.search.everywhere}
        </button>
      )}
      <More found={found} sort={sort} search={search} />
    </div>
  )
}
