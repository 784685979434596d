import { useRef, useState } from 'preact/hooks'
import type { DeliveryPayload, OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { type KnownPages, usePages } from '../../common/use-pages.ts'
import { useRefresh } from '../../common/use-refresh.ts'
import { strings } from '../../i18n/i18n.ts'
import { deliverAgain, deliveries } from '../../net/requests/hooks-out.ts'
import { showToast } from '../../ui/feedback.ts'
import { Select } from '../../ui/Select.tsx'
import { act } from './act.ts'
import { PageEnd } from './PageEnd.tsx'

const STATES = ['waiting', 'sent', 'failed', 'gone'] as const
/** Between two looks at what waits. */
const POLL: Milliseconds = 5_000
/** Rows of a page. A look reads the newest again, and as many as the oldest that waits needs. */
const PAGE = 50
const LONGEST_PAGE = 200

/** Deliveries of the last seven days, newest first, with the result of the last try. */
export function DeliveriesDialog({ hook, close }: { hook: OutgoingHookPayload; close: () => void }) {
  const [state, setState] = useState('')
  const [changes, setChanges] = useState(0)
  const texts = strings.hooksOut
  return (
    <FormDialog
      title={texts.deliveriesOf(hook.name)}
      close={close}
      form={close}
      label={strings.tokens.kept}
      cancel={false}
    >
      <div class="admin-tools">
        <Select aria-label={texts.state} value={state} choose={setState}>
          <option value="">{texts.allStates}</option>
          {STATES.map(one => (
            <option key={one} value={one}>
              {texts.states[one]}
            </option>
          ))}
        </Select>
        <button type="button" class="button" onClick={() => setChanges(before => before + 1)}>
          {texts.reload}
        </button>
      </div>
      <Deliveries key={state} hook={hook} state={state} changes={changes} />
    </FormDialog>
  )
}

interface DeliveriesProps {
  hook: OutgoingHookPayload
  /** Empty: all. */
  state: string
  /** Raised to read the list again. */
  changes: number
}

/** The list in one state. It is read again while something waits. */
function Deliveries({ hook, state, changes }: DeliveriesProps) {
  const [looked, setLooked] = useState(0)
  const count = useRef(0)
  const list = usePages(
    [changes, looked],
    cursor =>
      cursor
        ? deliveries(hook.id, { state, cursor, limit: PAGE })
        : newest(hook.id, state, Math.max(PAGE, count.current)),
    { merge: withLater },
  )
  const waiting = list.items.findLastIndex(one => one.state === 'waiting') + 1
  count.current = Math.max(waiting, Math.min(list.items.length, LONGEST_PAGE))
  const isWaiting = waiting > 0
  useRefresh(isWaiting, POLL, () => setLooked(before => before + 1))
  const texts = strings.hooksOut
  // The row stays in a list of failed ones, and its button keeps the focus.
  const again = ({ id, event }: DeliveryPayload) =>
    void act(
      () => deliverAgain(id),
      texts.eventNames[event] ?? event,
      () => {
        showToast(texts.isSentAgain)
        list.change(one => one.id === id, { state: 'waiting', next_try_ts: 0 })
      },
    )
  return (
    <>
      <PagesStart {...list} />
      <ul class="admin-list integrations-list">
        {list.items.map(one => (
          <Row key={one.id} delivery={one} again={hook.active ? () => again(one) : undefined} />
        ))}
      </ul>
      <PageEnd {...list} none={texts.noDeliveries} />
    </>
  )
}

/** At least `count`, if there are as many. */
async function newest(hook: number, state: string, count: number): Promise<Page<DeliveryPayload>> {
  let page = await deliveries(hook, { state, cursor: undefined, limit: Math.min(count, LONGEST_PAGE) })
  while (page.next !== null && page.items.length < count) {
    const later = await deliveries(hook, { state, cursor: page.next, limit: LONGEST_PAGE })
    page = { items: [...page.items, ...later.items], next: later.next }
  }
  return page
}

/** A fresh first page, and the known rows after its last one. */
function withLater(
  known: KnownPages<DeliveryPayload>,
  first: Page<DeliveryPayload>,
): KnownPages<DeliveryPayload> {
  const last = known.items.findIndex(({ id }) => id === first.items.at(-1)?.id)
  const later = first.next === null || last < 0 ? [] : known.items.slice(last + 1)
  return { items: [...first.items, ...later], next: later.length > 0 ? known.next : first.next }
}

interface RowProps {
  delivery: DeliveryPayload
  /** Undefined while the hook is disabled: nothing is sent. */
  again: (() => void) | undefined
}

function Row({ delivery, again }: RowProps) {
  const { event, state, created_ts: made, next_try_ts: next } = delivery
  const texts = strings.hooksOut
  const name = texts.eventNames[event] ?? event
  const outcome = outcomeOf(delivery)
  const isWaiting = state === 'waiting'
  return (
    <li class="admin-row">
      <div>
        <span class="integrations-name">
          {name}
          <span class="person-tag">{texts.states[state]}</span>
        </span>
        <span class="hint">{texts.made(made)}</span>
        {outcome && <span class={hasArrived(delivery) ? 'hint' : 'integrations-error'}>{outcome}</span>}
        {isWaiting && next > made && <span class="hint">{texts.nextTry(next)}</span>}
      </div>
      {again && (
        <button
          type="button"
          class="button"
          aria-label={texts.sendAgainOf(name, texts.made(made))}
          onClick={again}
        >
          {texts.sendAgain}
        </button>
      )}
    </li>
  )
}

const hasArrived = ({ last_status: status }: DeliveryPayload) =>
  status !== null && status >= 200 && status < 300

/** The last try in words; empty before it. */
function outcomeOf({ last_status: status, last_error: error, last_ms: ms }: DeliveryPayload): string {
  const texts = strings.hooksOut
  const answer = status === null ? '' : texts.status(status, ms)
  return [answer, texts.errors[error ?? '']].filter(Boolean).join(' ')
}
