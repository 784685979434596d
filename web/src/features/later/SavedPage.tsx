import { useEffect, useRef, useState } from 'preact/hooks'
import type { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { PageBack } from '../../common/PageBack.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { json } from '../../net/requests/endpoints.ts'
import { me } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailed } from './ListFailed.tsx'
import { SavedRow } from './SavedRow.tsx'
import { hasFailed, loadSaved, saved, savedPath } from './saved.ts'
import '../../ui/page.css'
import './later.css'

type State = 'open' | 'done'

const isDue = ({ remind_ts: ts }: SavedPayload) => ts !== null && ts <= Date.now() / 1000

/** Saved messages and reminders, which are one list. */
export function SavedPage() {
  const [state, setState] = useState<State>('open')
  const page = useRef<HTMLElement>(null)
  useCloseOnLeaving()
  useEffect(() => page.current?.querySelector<HTMLElement>('.page-choice[aria-pressed="true"]')?.focus(), [])
  const { saved: kept = 0, due = 0 } = me.value ?? {}
  // The server counts what it has told; the list below tells by the clock.
  const shownDue = Math.max(due, saved.value?.filter(isDue).length ?? 0)
  return (
    <main class="panel page saved-page" aria-label={strings.later.title} data-region="panel" ref={page}>
      <div class="panel-head">
        <PageBack />
        <Icon name="bookmark" size={20} />
        <h1>{strings.later.title}</h1>
        <span class="hint tabular-numbers">{strings.later.count(kept, shownDue)}</span>
        <div class="page-choices" role="group" aria-label={strings.later.title}>
          {(['open', 'done'] as const).map(one => (
            <button
              type="button"
              key={one}
              class={`page-choice${one === state ? ' is-on' : ''}`}
              aria-pressed={one === state}
              onClick={() => setState(one)}
            >
              {strings.later[one]}
            </button>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the links in it */}
      <div class="panel-results" onKeyDown={onListKey}>
        <div class="page-column">{state === 'open' ? <Open /> : <Done />}</div>
      </div>
    </main>
  )
}

/** Up and down move; those of a row are its own. */
function onListKey(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.saved-row-text')]
  const at = rows.indexOf(event.target as HTMLElement)
  if (at === -1) return
  const to = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: rows.length - 1 }[
    event.key
  ]
  if (to === undefined) return
  rows[Math.min(Math.max(to, 0), rows.length - 1)]?.focus()
  event.preventDefault()
}

function Open() {
  useEffect(() => void loadSaved(), [])
  const list = saved.value
  if (!list) return hasFailed.value ? <ListFailed text={strings.later.failed} again={loadSaved} /> : null
  const groups = [
    [strings.later.now, list.filter(isDue)],
    [strings.later.comingUp, list.filter(one => one.remind_ts !== null && !isDue(one))],
    [strings.later.withoutTime, list.filter(one => one.remind_ts === null)],
  ] as const
  if (list.length === 0) return <Empty title={strings.later.noneTitle} text={strings.later.none} />
  return (
    <>
      {groups.map(
        ([title, items]) =>
          items.length > 0 && (
            <section key={title} class="saved-group">
              <h2>{title}</h2>
              <ul>
                {items.map(one => (
                  <SavedRow key={one.message.id} one={one} isDue={isDue(one)} />
                ))}
              </ul>
            </section>
          ),
      )}
    </>
  )
}

function Done() {
  const list = usePages<SavedPayload>([me.value?.later_rev], cursor =>
    json<Page<SavedPayload>>(savedPath('done', cursor), undefined, page => Array.isArray(page.items)),
  )
  const { items, next } = list
  return (
    <>
      <PagesStart {...list} />
      <ul class="saved-group">
        {items.map(one => (
          <SavedRow key={one.message.id} one={one} isDue={false} />
        ))}
      </ul>
      {list.hasFailed ? (
        <ListFailed text={strings.later.failed} again={list.again} />
      ) : (
        <PagesEnd {...list} />
      )}
      {items.length === 0 && next === null && <Empty text={strings.later.noneDone} />}
    </>
  )
}

function Empty({ title, text }: { title?: string; text: string }) {
  return (
    <div class="empty-state">
      <Icon name="bookmark" size={24} />
      {title && <b>{title}</b>}
      <p>{text}</p>
    </div>
  )
}
