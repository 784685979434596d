import { useMemo } from 'preact/hooks'
import { strings } from '../i18n/i18n.ts'
import { plainName } from '../store/channels/names.ts'
import { displayed } from '../store/people/people.ts'
import {
  channelUnreads,
  mentions,
  people,
  privateChannels,
  publicChannels,
  shownDms,
  viewer,
} from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { Avatar } from './Avatar.tsx'
import { type Place, placesOf } from './destinations.ts'

/** The channels and people of the viewer, as they were when the component appeared: entries do not move meanwhile. */
export const useKnownPlaces = (): Place[] =>
  useMemo(
    () =>
      placesOf({
        viewer,
        publicChannels: publicChannels.peek(),
        privateChannels: privateChannels.peek().map(one => ({ ...one, name: plainName(one.channel) })),
        dms: shownDms.peek(),
        people: people.peek(),
        unreads: channelUnreads.peek(),
        mentions: mentions.peek(),
        displayed,
        nameOf: plainName,
      }),
    [],
  )

/** The kind of a place. A display name is not unique, so the username precedes. */
export function detailOf({ kind, name, alias }: Place) {
  const kindName = strings.switcher[kind]
  return kind === 'person' && alias !== undefined && alias !== name ? `@${alias} · ${kindName}` : kindName
}

export function PlacePicture({ place }: { place: Place }) {
  const [first = viewer, second] = place.users
  if (place.kind === 'channel') return <Icon name="hash" />
  if (place.kind === 'private') return <Icon name="lock" />
  if (!second) return <Avatar name={first} size={20} presence />
  return (
    <span class="avatar-pair">
      <Avatar name={first} size={14} />
      <Avatar name={second} size={14} />
    </span>
  )
}
