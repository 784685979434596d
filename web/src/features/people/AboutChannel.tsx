import type { ChannelInfoPayload } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { leavePublicChannel, setArchived } from '../../net/public-channels.ts'
import { displayed } from '../../store/people.ts'
import { me, publicChannels } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { openChannelDetails } from '../browse/open-browse.ts'

/** Topic, description and facts of a public channel, with the actions that the viewer may take. */
export function AboutChannel({ info }: { info: ChannelInfoPayload }) {
  const { channel, topic, description, created_by: by, created_ts: since } = info
  const manages = info.may.includes('manage')
  const say = strings.about
  return (
    <section class="about-channel" aria-label={say.title}>
      <div dir="auto">{topic ?? <span class="hint">{say.noTopic}</span>}</div>
      {description !== null && (
        <p class="about-channel-description" dir="auto">
          {description}
        </p>
      )}
      {by !== null && since !== null && <p class="hint">{say.madeBy(displayed(by), since)}</p>}
      {info.managers.length > 0 && <p class="hint">{say.managers(info.managers.map(displayed))}</p>}
      <div class="people-panel-actions">
        {(manages || (info.may.includes('post') && me.value?.role !== 'guest')) && (
          <button type="button" class="button" onClick={() => openChannelDetails(info)}>
            <Icon name="pencil" size={16} />
            {manages ? say.edit : say.setTopic}
          </button>
        )}
        {manages && !info.archived && (
          <button type="button" class="button" onClick={() => void setArchived(channel, true)}>
            {say.archive}
          </button>
        )}
        {manages && info.archived && (
          <button type="button" class="button" onClick={() => void setArchived(channel, false)}>
            {strings.joining.unarchive}
          </button>
        )}
        {publicChannels.value.includes(channel) && (
          <button type="button" class="button button-quiet" onClick={() => void leavePublicChannel(channel)}>
            {strings.privateDialog.leaveShort}
          </button>
        )}
      </div>
    </section>
  )
}
