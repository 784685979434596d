import { useEffect, useRef, useState } from 'preact/hooks'
import type { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { OneLineOfRow } from '../../common/OneLine.tsx'
import { placeWords } from '../../common/place-words.ts'
import { strings } from '../../i18n/i18n.ts'
import { displayed } from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import { panel } from '../../store/store.ts'
import { remindTimes } from '../../store/time/remind-times.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { remindAt, removeSaved, setDone, setNote } from './saved.ts'
import { openTimeMenu, timeItems } from './time-menu.tsx'

/** A saved message, with its note, its time and what can be done with it. */
export function SavedRow({ one, isDue }: { one: SavedPayload; isDue: boolean }) {
  const { message, remind_ts: ts, note, done_ts } = one
  const [isNoted, setNoted] = useState(false)
  const isDone = done_ts !== null
  const remind = (anchor: HTMLElement) =>
    openTimeMenu(anchor, strings.later.remind, [
      ...timeItems(anchor, remindTimes(new Date()), at => void remindAt(message, at)),
      ...(ts === null ? [] : [{ label: strings.later.noReminder, run: () => void remindAt(message, null) }]),
    ])
  const toDone = (from: Element) => {
    focusNext(from)
    void setDone(message, !isDone)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (!target.matches('a') || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'd') toDone(target)
    else if (event.key === 'h' && !isDone) remind(target)
    else return
    event.preventDefault()
  }
  const more = (anchor: HTMLElement) =>
    openPopover(
      anchor,
      strings.later.more,
      close => (
        <MenuItems
          close={close}
          items={[
            {
              label: note === null ? strings.later.addNote : strings.later.changeNote,
              icon: 'pencil',
              run: () => setNoted(true),
            },
            {
              label: strings.later.remove,
              icon: 'trash',
              apart: true,
              run: () => {
                focusNext(anchor)
                void removeSaved(message)
              },
            },
          ]}
        />
      ),
      { role: 'menu' },
    )
  return (
    <li class={`saved-row${isDue ? ' is-due' : ''}`} onKeyDown={onKeyDown}>
      <Avatar name={message.sender} size={28} />
      <div class="saved-row-body">
        <div class="saved-row-head">
          <PersonName name={message.sender} />
          <span class="hint">{placeWords(message.channel)}</span>
        </div>
        <a class="saved-row-text" dir="auto" href={hashOf(message.channel, message.id)} onClick={leave}>
          {message.deleted === 1 ? goneWords(message) : <OneLineOfRow row={message} />}
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
            aria-keyshortcuts="H"
            onClick={event => remind(event.currentTarget)}
          />
        )}
        <IconButton
          icon={isDone ? 'refresh' : 'check'}
          size={28}
          label={isDone ? strings.later.toOpen : strings.later.toDone}
          aria-keyshortcuts="D"
          onClick={event => toDone(event.currentTarget)}
        />
        <IconButton
          icon="more"
          size={28}
          label={strings.later.more}
          aria-haspopup="menu"
          onClick={event => more(event.currentTarget)}
        />
      </div>
    </li>
  )
}

/** Words for a deleted message, with the name of the person who deleted it if known. */
function goneWords({ extra }: MessagePayload) {
  const by = extra?.removed_by
  return by ? strings.list.removedBy(displayed(by)) : strings.later.gone
}

/** The row goes away: the focus moves to the next one, else to the one before. */
function focusNext(from: Element) {
  const rows = [...document.querySelectorAll('.saved-page .saved-row')]
  const at = rows.findIndex(row => row.contains(from))
  const next = rows[at + 1] ?? rows[at - 1] ?? null
  const target = next
    ? next.querySelector('.saved-row-text')
    : document.querySelector('.saved-page .page-choice.is-on')
  ;(target as HTMLElement | null)?.focus()
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
