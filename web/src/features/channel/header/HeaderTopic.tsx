import { useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { me, publicChannels } from '../../../store/store.ts'
import { TopicField } from './TopicField.tsx'

/** The topic; a press edits it in place. */
export function HeaderTopic({ channel }: { channel: Channel }) {
  const info = channel.info.value
  const [isEdited, setEdited] = useState(false)
  if (!info || info.kind === 'dm') return null
  const { may, topic, archived, guests } = info
  const isJoined = info.kind === 'private' || publicChannels.value.includes(channel.id)
  const mayEdit =
    !archived && (may.includes('manage') || (may.includes('post') && isJoined && me.value?.role !== 'guest'))
  return (
    <>
      {guests > 0 && <span class="person-tag channel-header-guests">{strings.header.guests}</span>}
      {isEdited ? (
        <TopicField info={info} done={() => setEdited(false)} />
      ) : mayEdit ? (
        <button
          type="button"
          class={topic ? 'channel-header-topic' : 'channel-header-topic is-missing'}
          dir="auto"
          title={topic ?? undefined}
          aria-label={topic ? strings.header.editTopic(topic) : undefined}
          onClick={() => setEdited(true)}
        >
          {topic ?? strings.header.addTopic}
        </button>
      ) : (
        topic && (
          <span class="channel-header-topic" dir="auto" title={topic}>
            {topic}
          </span>
        )
      )}
    </>
  )
}
