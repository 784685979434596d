import { useEffect, useRef } from 'preact/hooks'
import type { MentionPayload } from '#shared/rules/payloads.ts'
import { plainText } from '../channel/markup.ts'
import { Avatar, PersonName } from '../people/Avatar.tsx'
import { nameOf } from '../store/names.ts'
import { hashOf } from '../store/route.ts'
import { isPhone, mentions, panel } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'

/** Where the viewer was named and has not read yet, newest first. Looking here marks nothing read. */
export function MentionsPanel() {
  const list = mentions.value
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(() => closer.current?.focus(), [])
  return (
    <aside class="panel" aria-label={words.mentions.title} data-region="panel">
      <div class="panel-h">
        <h2>{words.mentions.title}</h2>
        {list.length > 0 && <span class="hint num">{words.mentions.unread(list.length)}</span>}
        <button
          ref={closer}
          type="button"
          class="ib"
          aria-label={words.mentions.close}
          onClick={() => {
            panel.value = undefined
          }}
        >
          <Icon name="x" />
        </button>
      </div>
      <div class="results">
        {list.map(mention => (
          <MentionRow key={mention.id} mention={mention} />
        ))}
        {list.length === 0 && (
          <div class="empty">
            <Icon name="at" size={24} />
            <p>{words.mentions.none}</p>
          </div>
        )}
      </div>
    </aside>
  )
}

function MentionRow({ mention }: { mention: MentionPayload }) {
  return (
    <a
      class="res"
      href={hashOf(mention.channel, mention.id)}
      onClick={() => {
        if (isPhone.peek()) panel.value = undefined
      }}
    >
      <Avatar name={mention.sender} size={24} />
      <div>
        <div class="h">
          <PersonName name={mention.sender} />
          <span class="where">{words.mentions.in(nameOf(mention.channel))}</span>
          <time title={words.date(mention.ts)}>{words.time(mention.ts)}</time>
        </div>
        <div class="t" dir="auto">
          {plainText(mention.content ?? '') || words.list.image}
        </div>
      </div>
    </a>
  )
}
