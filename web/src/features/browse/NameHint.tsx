import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { setArchived } from '../../net/channels/public-channels.ts'
import { privateNamed } from '../../store/channels/names.ts'
import { hashOf } from '../../store/route.ts'
import { useNamesakes } from './use-namesakes.ts'

interface HintProps {
  name: string
  isPrivate: boolean
  close: () => void
}

/** The address of a new public channel, and a channel that has the name or may be meant. */
export function NameHint({ name, isPrivate, close }: HintProps) {
  const id = channelIdFromName(name)
  const { twin, near } = useNamesakes(name)
  const texts = strings.browse
  const taken = isPrivate ? undefined : twin
  const own = isPrivate ? privateNamed(name) : undefined
  return (
    <div class="name-hint">
      {!isPrivate && id !== '' && (
        <span class="hint" dir="auto">
          {texts.address(`${location.host}/${hashOf(id)}`)}
        </span>
      )}
      {/* A region that is there before its text. */}
      <span class="hint browse-near" role="status">
        {taken && sentenceOn(taken)}
        {own && `${texts.ownPrivate(name.trim())} `}
        {own && (
          <a href={hashOf(own)} onClick={close}>
            {texts.openPrivate(name.trim())}
          </a>
        )}
        {!taken && !own && near && `${texts.near(near.name, near.members)} `}
        {!taken && !own && near && (
          <a href={hashOf(near.channel)} onClick={close}>
            {texts.openNear(near.name)}
          </a>
        )}
      </span>
      {taken && <OpenTaken info={taken} close={close} />}
    </div>
  )
}

export const sentenceOn = ({ channel, name, archived }: ChannelInfoPayload) =>
  archived ? strings.browse.isArchived(name ?? channel) : strings.browse.isThere(name ?? channel)

/** Opens the channel, and brings it back if it is archived. */
export function OpenTaken({ info, close }: { info: ChannelInfoPayload; close: () => void }) {
  const { channel, archived, may } = info
  const isReturning = archived && may.includes('manage')
  const open = () => {
    if (isReturning) void setArchived(channel, false)
    close()
    location.hash = hashOf(channel)
  }
  return (
    <button type="button" class="button name-taken" onClick={open}>
      {isReturning ? strings.joining.unarchive : strings.browse.openTaken}
    </button>
  )
}
