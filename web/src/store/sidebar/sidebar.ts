/** The sidebar as it is shown: rows by place, in order. */
import { computed, signal } from '@preact/signals'
import type { PreferencesPayload } from '#shared/domain/payloads/account.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { current } from '../channels/channels.ts'
import { isClosed } from '../channels/closed-channels.ts'
import { isDm, othersIn, plainName } from '../channels/names.ts'
import { persisted } from '../device/persisted.ts'
import { compareNames } from '../messages/selectors.ts'
import { channelUnreads, privateChannels, publicChannels, shownDms, viewer } from '../store.ts'
import { choiceOf, sections } from './channel-choices.ts'
import { type Listed, placesOf } from './sidebar-places.ts'

export interface SidebarRow extends Listed {
  unread: number
  users?: Username[]
  /** A conversation that is not stored yet cannot be closed. */
  isBegun?: boolean
}

type Look = PreferencesPayload['sidebar']

const entry = persisted(`bothy sidebar ${viewer}`)
/** The preference `sidebar`, kept on this device for the first paint. */
export const sidebarLook = signal(keptLook())

function keptLook(): Look {
  const [sort, hides] = entry.read()?.split(' ') ?? []
  return { sort: sort === 'name' ? sort : 'recent', hide_read: hides === 'hide' }
}

export function takeLook(look: Look) {
  sidebarLook.value = look
  entry.write(`${look.sort} ${look.hide_read ? 'hide' : ''}`)
}

entry.onChange(() => {
  sidebarLook.value = keptLook()
})

/** While the pointer is over the list, new messages do not change its order. */
export const isPointerInside = signal(false)
let lastOrder: ChannelId[] = []

const conversations = computed<SidebarRow[]>(() => {
  const listed = shownDms.value
  const channel = current.value
  const open = channel && !isClosed(channel) ? channel.id : undefined
  // A conversation is stored with its first message; until then it is listed while open.
  const begun = open !== undefined && isDm(open) && !listed.some(dm => dm.channel === open)
  const rows = begun ? [{ channel: open, users: othersIn(open), unread: 0 }, ...listed] : [...listed]
  if (isPointerInside.value) rows.sort((a, b) => lastOrder.indexOf(a.channel) - lastOrder.indexOf(b.channel))
  lastOrder = rows.map(row => row.channel)
  return rows.map(row => ({
    ...row,
    usual: 'direct',
    name: plainName(row.channel),
    isBegun: begun && row.channel === open,
  }))
})

export const sidebarPlaces = computed(() =>
  placesOf<SidebarRow>(
    [
      ...publicChannels.value.map(channel => ({
        channel,
        usual: 'channels' as const,
        name: plainName(channel),
        unread: channelUnreads.value.get(channel) ?? 0,
      })),
      ...privateChannels.value.map(({ channel, unread }) => ({
        channel,
        usual: 'private' as const,
        name: plainName(channel),
        unread,
      })),
      ...conversations.value,
    ],
    {
      choiceOf,
      sections: sections.value.map(({ id }) => id),
      compare: sidebarLook.value.sort === 'name' ? compareNames : undefined,
    },
  ),
)

export const sidebarRows = computed(() => [...sidebarPlaces.value.values()].flat())
