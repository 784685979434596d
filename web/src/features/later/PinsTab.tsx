import { useEffect, useRef, useState } from 'preact/hooks'
import type { PinsPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { OneLineOfRow } from '../../common/OneLine.tsx'
import { strings } from '../../i18n/i18n.ts'
import { showMessage } from '../../net/channels/open-channel.ts'
import { json } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { type Channel, channelOf } from '../../store/channels/channels.ts'
import { isRowItem, rowsOf } from '../../store/messages/items.ts'
import { displayed } from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListFailed } from './ListFailed.tsx'
import { togglePin } from './toggle-pin.ts'
import './later.css'

/** The pinned messages of a channel, the latest pin first: a tab of its details. */
export function PinsTab({ channel }: { channel: Channel }) {
  const { items, hasFailed, again } = usePins(channel)
  const mayPin = channel.info.value?.may.includes('pin') ?? false
  return (
    <div class="panel-results">
      <ul class="pins-list">
        {items?.map(row => (
          <Pin key={row.id} row={row} mayPin={mayPin} />
        ))}
      </ul>
      {hasFailed && <ListFailed text={strings.pins.failed} again={again} />}
      {items?.length === 0 && (
        <div class="empty-state">
          <Icon name="pin" size={24} />
          <b>{strings.pins.noneTitle}</b>
          <p>{strings.pins.none}</p>
        </div>
      )}
      {items && mayPin && <p class="hint pins-hint">{strings.pins.hint}</p>}
    </div>
  )
}

function Pin({ row, mayPin }: { row: MessagePayload; mayPin: boolean }) {
  return (
    <li class="pin-card">
      <div class="pin-card-head">
        <Avatar name={row.sender} size={20} />
        <PersonName name={row.sender} />
        <time title={strings.fullTime(row.ts)}>{strings.date(row.ts)}</time>
      </div>
      <p class="pin-card-text" dir="auto">
        <OneLineOfRow row={row} />
      </p>
      <div class="pin-card-foot">
        <Icon name="pin" size={14} />
        <span class="pin-card-by">{strings.pins.by(displayed(row.extra?.pinned?.by ?? ''))}</span>
        {mayPin && (
          <IconButton icon="x" size={24} label={strings.pins.unpin} onClick={() => void togglePin(row)} />
        )}
        <a class="pin-card-show" href={hashOf(row.channel, row.id)} onClick={event => show(row, event)}>
          {strings.pins.show}
        </a>
      </div>
    </li>
  )
}

/** Handles a link to the current address, for which the browser fires no event. */
function show({ channel, id }: MessagePayload, event: MouseEvent) {
  if (isPhone.peek()) panel.value = undefined
  if (location.hash !== hashOf(channel, id)) return
  event.preventDefault()
  void showMessage(channelOf(channel), id)
}

const isPage = (page: PinsPayload) => Array.isArray(page.items)

/** At most 100, loaded again when a row of the channel gets or loses a pin. */
function usePins(channel: Channel) {
  const [items, setItems] = useState<MessagePayload[] | undefined>(undefined)
  const [hasFailed, setFailed] = useState(false)
  const newest = useRef(0)
  const load = async () => {
    const turn = ++newest.current
    setFailed(false)
    try {
      const loaded: MessagePayload[] = []
      for (let cursor: string | null = ''; cursor !== null && turn === newest.current; ) {
        const path = `/pins/${encodeURIComponent(channel.id)}?limit=200${cursor && `&cursor=${cursor}`}`
        const page: PinsPayload = await json(path, undefined, isPage)
        loaded.push(...page.items)
        cursor = page.next
      }
      if (turn === newest.current) setItems(loaded)
    } catch (error) {
      tolerateFailure(error)
      if (turn === newest.current) setFailed(true)
    }
  }
  const pinned = channel.items.value
    .filter(isRowItem)
    .flatMap(item => rowsOf(item).map(one => one.row))
    .filter(row => row.extra?.pinned)
    .map(row => `${row.id} ${row.edited_ts}`)
  const state = `${channel.info.value?.pins} ${pinned}`
  useEffect(() => void load(), [state])
  return { items, hasFailed, again: () => void load() }
}
