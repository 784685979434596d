import { channelIdFromName } from '#shared/domain/channel-name.ts'
import { usePublicChannels } from '../../common/use-public-channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { hashOf } from '../../store/route.ts'
import { isCloseName } from './close-name.ts'

/** Letters that the server looks for. A slip of the keys before the third one is not found. */
const LOOKED_FOR = 3

/** The address of a new public channel, and a channel that may be meant. */
export function NameHint({
  name,
  isPrivate,
  close,
}: {
  name: string
  isPrivate: boolean
  close: () => void
}) {
  const id = channelIdFromName(name)
  const found = usePublicChannels({ words: id.slice(0, LOOKED_FOR), sort: 'members', archived: false })
  const one = found.items.find(({ channel }) => isCloseName(id, channel))
  const say = strings.browse
  return (
    <div class="name-hint">
      {!isPrivate && id !== '' && (
        <span class="hint" dir="auto">
          {say.address(`${location.host}/${hashOf(id)}`)}
        </span>
      )}
      {/* A region that is there before its text. */}
      <span class="hint browse-near" role="status">
        {one && `${say.near(one.name, one.members)} `}
        {one && (
          <a href={hashOf(one.channel)} onClick={close}>
            {say.openNear(one.name)}
          </a>
        )}
      </span>
    </div>
  )
}
