import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page, SavedPayload } from '#shared/domain/payloads.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { plainText } from '../../common/markup.ts'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { json } from '../../net/endpoints.ts'
import { nameOf } from '../../store/names.ts'
import { remindTimes } from '../../store/remind-times.ts'
import { hashOf } from '../../store/route.ts'
import { me, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListFailed } from './ListFailed.tsx'
import { hasFailed, loadSaved, remindAt, removeSaved, saved, savedPath, setDone, setNote } from './saved.ts'
import { openTimeMenu, timeItems } from './time-menu.tsx'
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
    <main class="panel page" aria-label={strings.later.title} data-region="panel" ref={page}>
      <div class="panel-head">
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
        <IconButton
          icon="x"
          label={strings.later.close}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      <div class="panel-results">
        <div class="page-column">{state === 'open' ? <Open /> : <Done />}</div>
      </div>
    </main>
  )
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
  if (list.length === 0) return <Empty text={strings.later.none} />
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

function Empty({ text }: { text: string }) {
  return (
    <div class="empty-state">
      <Icon name="bookmark" size={24} />
      <p>{text}</p>
    </div>
  )
}

function SavedRow({ one, isDue }: { one: SavedPayload; isDue: boolean }) {
  const { message, remind_ts: ts, note, done_ts } = one
  const [isNoted, setNoted] = useState(false)
  const isDone = done_ts !== null
  const remind = (anchor: HTMLElement) =>
    openTimeMenu(anchor, strings.later.remind, [
      ...timeItems(anchor, remindTimes(new Date()), at => void remindAt(message, at)),
      ...(ts === null ? [] : [{ label: strings.later.noReminder, run: () => void remindAt(message, null) }]),
    ])
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (!target.matches('a') || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'd') void setDone(message, !isDone)
    else if (event.key === 'h') remind(target)
    else return
    event.preventDefault()
  }
  return (
    <li class={`saved-row${isDue ? ' is-due' : ''}`} onKeyDown={onKeyDown}>
      <Avatar name={message.sender} size={28} />
      <div class="saved-row-body">
        <div class="saved-row-head">
          <PersonName name={message.sender} />
          <span class="hint">{strings.activity.in(nameOf(message.channel))}</span>
        </div>
        <a class="saved-row-text" dir="auto" href={hashOf(message.channel, message.id)} onClick={leave}>
          {message.deleted === 1
            ? strings.list.deleted
            : plainText(message.content ?? '') || strings.list.image}
        </a>
        {isNoted ? (
          <NoteField one={one} done={() => setNoted(false)} />
        ) : (
          note !== null && (
            <p class="saved-row-note" dir="auto">
              <Icon name="pencil" size={14} />
              {note}
            </p>
          )
        )}
      </div>
      <div class="saved-row-end">
        {ts !== null && !isDone && (
          <span class="saved-row-time">
            <Icon name="clock" size={14} />
            {isDue ? strings.later.due(ts) : strings.later.at(ts)}
          </span>
        )}
        {!isDone && (
          <IconButton
            icon="clock"
            size={28}
            label={strings.later.remind}
            aria-haspopup="menu"
            onClick={event => remind(event.currentTarget)}
          />
        )}
        <IconButton
          icon="pencil"
          size={28}
          label={strings.later.note}
          aria-expanded={isNoted}
          onClick={() => setNoted(!isNoted)}
        />
        <IconButton
          icon={isDone ? 'refresh' : 'check'}
          size={28}
          label={isDone ? strings.later.toOpen : strings.later.toDone}
          onClick={() => void setDone(message, !isDone)}
        />
        <IconButton
          icon="trash"
          size={28}
          label={strings.later.remove}
          onClick={() => void removeSaved(message)}
        />
      </div>
    </li>
  )
}

function leave() {
  panel.value = undefined
}

function NoteField({ one, done }: { one: SavedPayload; done: () => void }) {
  const [text, setText] = useState(one.note ?? '')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void setNote(one.message, text).then(done)
      }}
    >
      <input
        ref={field}
        class="input"
        value={text}
        aria-label={strings.later.note}
        maxLength={500}
        onInput={event => setText(event.currentTarget.value)}
      />
    </form>
  )
}
