import type { PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { isPrivate } from '../../store/channels/names.ts'
import { hashOf } from '../../store/route.ts'
import { channelIcon } from '../../store/sidebar/channel-choices.ts'
import { panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'

interface Props {
  id: string
  channel: PublicChannelPayload
  words: string
  isPicked: boolean
  join: () => void
}

export const mayJoin = ({ joined, archived }: PublicChannelPayload) => !joined && !archived

/** A link that opens the channel without joining it, and a button that joins. The field above has the keys. */
export function BrowseRow({ id: rowId, channel, words, isPicked, join }: Props) {
  const {
    channel: id,
    name,
    topic,
    joined,
    archived,
    posting,
    members,
    newest_ts: newest,
    writers = [],
  } = channel
  const open = () => {
    panel.value = undefined
  }
  return (
    <div
      id={rowId}
      class={isPicked ? 'browse-row is-picked' : 'browse-row'}
      role="row"
      tabIndex={-1}
      aria-selected={isPicked}
      data-channel={id}
    >
      <span class="browse-row-cell" role="gridcell" tabIndex={-1}>
        <a class="browse-row-link" href={hashOf(id)} tabIndex={-1} onClick={open}>
          <Icon name={isPrivate(id) ? 'lock' : archived ? 'archive' : channelIcon(id, posting)} />
          <span class="browse-row-text">
            <span class="browse-row-name">
              <b>
                <Matched text={name} words={words} />
              </b>
              {joined && (
                <span class="browse-row-joined">
                  <Icon name="check" size={14} />
                  {strings.browse.joined}
                </span>
              )}
              {archived && <span class="word-tag">{strings.browse.archived}</span>}
              {posting === 'managers' && <span class="word-tag">{strings.browse.announcements}</span>}
            </span>
            {topic !== null && (
              <span class="browse-row-topic" dir="auto">
                <Matched text={topic} words={words} />
              </span>
            )}
          </span>
          {writers.length > 0 && (
            <span class="avatar-pile browse-row-faces" aria-hidden="true">
              {writers.map(name => (
                <Avatar key={name} name={name} size={20} />
              ))}
            </span>
          )}
          <span class="browse-row-size">
            {strings.browse.size(members)}
            {newest !== null && `, ${strings.browse.newest(newest)}`}
          </span>
          {!mayJoin(channel) && (
            <span class={archived ? 'browse-row-button' : 'button browse-row-button'} aria-hidden="true">
              {archived ? strings.browse.read : strings.browse.open}
            </span>
          )}
        </a>
      </span>
      {mayJoin(channel) && (
        <span role="gridcell" tabIndex={-1}>
          <button
            type="button"
            class={isPicked ? 'button button-primary browse-row-button' : 'button browse-row-button'}
            tabIndex={-1}
            onClick={join}
            aria-label={strings.browse.joinName(name)}
          >
            {strings.browse.join}
          </button>
        </span>
      )}
    </div>
  )
}

/** Marks the first place of the words, whatever their case. */
function Matched({ text, words }: { text: string; words: string }) {
  const at = words === '' ? -1 : text.toLowerCase().indexOf(words.toLowerCase())
  if (at === -1) return <bdi>{text}</bdi>
  return (
    <bdi>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + words.length)}</mark>
      {text.slice(at + words.length)}
    </bdi>
  )
}
