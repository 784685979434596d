import { useEffect, useRef, useState } from 'preact/hooks'
import type { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import { ChannelSign } from '../../common/ChannelSign.tsx'
import { OneLine } from '../../common/OneLine.tsx'
import { PageBack } from '../../common/PageBack.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { plainName } from '../../store/channels/names.ts'
import { config, me } from '../../store/store.ts'
import { remindTimes } from '../../store/time/remind-times.ts'
import { listedDrafts } from '../../store/writing/drafts.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ChooseChannel } from './ChooseChannel.tsx'
import { DraftRows } from './DraftRows.tsx'
import { ListFailed } from './ListFailed.tsx'
import { cancelScheduled, changeScheduled, keepAsDraft, moved, scheduledPage } from './scheduled.ts'
import { openTimeMenu, timeItems } from './time-menu.tsx'
import '../../ui/page.css'
import './later.css'

/** Messages that are sent at a later time, and drafts. */
export function ScheduledPage() {
  const page = useRef<HTMLElement>(null)
  useCloseOnLeaving()
  useEffect(() => page.current?.querySelector('h1')?.focus(), [])
  const list = usePages<ScheduledPayload>(
    [me.value?.later_rev, me.value?.scheduled, me.value?.failed],
    cursor => scheduledPage(cursor),
  )
  const { items, next } = list
  const { scheduled: waiting = 0, failed: unsent = 0 } = me.value ?? {}
  return (
    <main class="panel page" aria-label={strings.scheduled.title} data-region="panel" ref={page}>
      <div class="panel-head">
        <PageBack />
        <Icon name="pencil" size={20} />
        <h1 tabIndex={-1}>{strings.scheduled.title}</h1>
      </div>
      <div class="panel-results">
        <div class="page-column">
          {list.hasFailed && <ListFailed text={strings.scheduled.failed} again={list.again} />}
          <PagesStart {...list} />
          {items.length > 0 && (
            <section class="saved-group">
              <h2>
                {strings.scheduled.scheduled}
                <span class="saved-group-count tabular-numbers">{waiting + unsent}</span>
              </h2>
              <ul>
                {items.map(one => (
                  <ScheduledRow key={one.id} one={one} />
                ))}
              </ul>
              <PagesEnd {...list} />
            </section>
          )}
          <DraftRows />
          {items.length === 0 && listedDrafts.value.length === 0 && next === null && (
            <div class="empty-state">
              <Icon name="later" size={24} />
              <p>{strings.scheduled.none}</p>
            </div>
          )}
        </div>
      </div>
      {moved.value && <ChooseChannel />}
    </main>
  )
}

function ScheduledRow({ one }: { one: ScheduledPayload }) {
  const { id, channel, text, send_ts: ts, failed_why: why } = one
  const [isEdited, setEdited] = useState(false)
  const hasFailed = why !== null
  return (
    <li class={`saved-row${hasFailed ? ' is-due' : ''}`}>
      <ChannelSign channel={channel} />
      <div class="saved-row-body">
        <div class="saved-row-head">
          <b>{plainName(channel)}</b>
          {why && <span class="hint">{strings.scheduled.why[why]}</span>}
        </div>
        {isEdited ? (
          <TextEditor one={one} done={() => setEdited(false)} />
        ) : (
          <p class="saved-row-text" dir="auto">
            <OneLine text={text} />
          </p>
        )}
        {hasFailed && (
          <div class="scheduled-ways">
            <button
              type="button"
              class="button"
              aria-haspopup="dialog"
              onClick={() => {
                moved.value = one
              }}
            >
              {strings.scheduled.chooseOther}
            </button>
            <button type="button" class="button" onClick={() => void keepAsDraft(one)}>
              {strings.scheduled.keepAsDraft}
            </button>
          </div>
        )}
      </div>
      <div class="saved-row-end">
        <span class="saved-row-time">
          <Icon name={hasFailed ? 'alert' : 'clock'} size={14} />
          {hasFailed ? strings.scheduled.notSent(ts) : strings.later.at(ts)}
        </span>
        <button type="button" class="button" onClick={() => void changeScheduled(id, { now: true })}>
          {strings.scheduled.sendNow}
        </button>
        <IconButton
          icon="pencil"
          size={28}
          label={strings.scheduled.edit}
          aria-expanded={isEdited}
          onClick={() => setEdited(!isEdited)}
        />
        <IconButton
          icon="clock"
          size={28}
          label={strings.scheduled.otherTime}
          aria-haspopup="menu"
          onClick={event => {
            const pick = (at: number) => void changeScheduled(id, { send_ts: at })
            const anchor = event.currentTarget
            openTimeMenu(
              anchor,
              strings.scheduled.otherTime,
              timeItems(anchor, remindTimes(new Date()), pick),
            )
          }}
        />
        <IconButton
          icon="trash"
          size={28}
          label={strings.scheduled.cancel}
          onClick={() => void cancelScheduled(id)}
        />
      </div>
    </li>
  )
}

function TextEditor({ one, done }: { one: ScheduledPayload; done: () => void }) {
  const [text, setText] = useState(one.text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isFit = text.trim() !== '' && text.length <= config.value.max_message_chars
  return (
    <form
      class="scheduled-editor"
      onSubmit={event => {
        event.preventDefault()
        if (isFit) void changeScheduled(one.id, { text }).then(isDone => isDone && done())
      }}
    >
      <textarea
        ref={field}
        class="input"
        rows={3}
        dir="auto"
        value={text}
        aria-label={strings.scheduled.edit}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button button-primary" disabled={!isFit}>
        {strings.scheduled.save}
      </button>
    </form>
  )
}
