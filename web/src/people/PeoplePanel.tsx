import { useEffect, useRef } from 'preact/hooks'
import type { Username } from '#shared/rules/units.ts'
import { startConversation } from '../sidebar/new-dm.ts'
import type { Channel } from '../store/channels.ts'
import { compareNames } from '../store/selectors.ts'
import { panel, presenceOf, viewer } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
import { Avatar, PersonName } from './Avatar.tsx'

/** Who is in this channel: those who are here, then the others. A press opens the conversation. */
export function PeoplePanel({ channel }: { channel: Channel }) {
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(() => closer.current?.focus(), [])
  const all = [...channel.members.value, viewer].sort(compareNames)
  const here = all.filter(name => presenceOf(name) === 'active')
  const away = all.filter(name => presenceOf(name) !== 'active')
  return (
    <aside class="panel" aria-label={words.people.title} data-region="panel">
      <div class="panel-h">
        <h2>{words.people.title}</h2>
        <span class="hint num">{all.length}</span>
        <button
          ref={closer}
          type="button"
          class="ib"
          aria-label={words.people.close}
          onClick={() => {
            panel.value = undefined
          }}
        >
          <Icon name="x" />
        </button>
      </div>
      <div class="results">
        <PeopleList title={words.people.here} names={here} />
        <PeopleList title={words.people.away} names={away} />
      </div>
    </aside>
  )
}

function PeopleList({ title, names }: { title: string; names: Username[] }) {
  if (names.length === 0) return null
  return (
    <section aria-label={title}>
      <div class="res-day">{title}</div>
      {names.map(name => (
        <button
          type="button"
          key={name}
          class="opt"
          disabled={name === viewer}
          title={name === viewer ? undefined : words.people.message(name)}
          onClick={() => startConversation([name])}
        >
          <Avatar name={name} size={24} presence />
          <PersonName name={name} />
          <span class="grow" />
          <span class="sub">{name === viewer ? words.you : words.presence[presenceOf(name)]}</span>
        </button>
      ))}
    </section>
  )
}
