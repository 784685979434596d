import { useEffect, useRef } from 'preact/hooks'
import type { MentionPayload } from '#shared/domain/payloads.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { plainText } from '../../common/markup.ts'
import { strings } from '../../i18n/i18n.ts'
import { openChannel, showMessage } from '../../net/open-channel.ts'
import { channelOf, current } from '../../store/channels.ts'
import { nameOf } from '../../store/names.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, mentions, panel, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

/** Unread mentions of the viewer, newest first. Opening the panel marks nothing read. */
export function MentionsPanel() {
  const list = [...mentions.value].sort((a, b) => b.ts - a.ts)
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector)
    ;(find('.result') ?? find('.icon-button'))?.focus()
  }, [])
  return (
    <aside class="panel" aria-label={strings.mentions.title} data-region="panel" ref={box}>
      <div class="panel-head">
        <h2>{strings.mentions.title}</h2>
        {list.length > 0 && <span class="hint tabular-numbers">{strings.mentions.unread(list.length)}</span>}
        <IconButton
          icon="x"
          label={strings.mentions.close}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links in it */}
      <div class="panel-results" onKeyDown={onArrow}>
        {list.map(mention => (
          <MentionRow key={mention.id} mention={mention} />
        ))}
        {list.length === 0 && (
          <div class="empty-state">
            <Icon name="at" size={24} />
            <p>{strings.mentions.none}</p>
          </div>
        )}
      </div>
    </aside>
  )
}

function onArrow(event: KeyboardEvent) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.result')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), rows.length - 1)]?.focus()
}

function MentionRow({ mention }: { mention: MentionPayload }) {
  return (
    <a
      class="result"
      href={hashOf(mention.channel, mention.id)}
      onClick={event => {
        if (isPhone.peek()) panel.value = undefined
        goTo(mention, event)
      }}
    >
      <Avatar name={mention.sender} size={24} />
      <div>
        <div class="result-head">
          <PersonName name={mention.sender} />
          <span class="result-place">{strings.mentions.in(nameOf(mention.channel))}</span>
          <time title={strings.date(mention.ts)}>{strings.time(mention.ts)}</time>
        </div>
        <div class="result-text" dir="auto">
          <Named text={plainText(mention.content ?? '') || strings.list.image} />
        </div>
      </div>
    </a>
  )
}

/** Handles a link to the current address, for which the browser fires no event. */
function goTo({ channel, id }: MentionPayload, event: MouseEvent) {
  if (location.hash !== hashOf(channel, id)) return
  event.preventDefault()
  if (current.peek()?.id === channel) void showMessage(channelOf(channel), id)
  else openChannel(channel, id)
}

const NAMED = new RegExp(`(?<![\\w@/.-])(@(?:${viewer}|everyone))(?![\\w-])`, 'gi')

function Named({ text }: { text: string }) {
  const parts = text.split(NAMED)
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          <span key={at} class="mention is-viewer" dir="ltr">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  )
}
