/** People of a channel: adding and removing them, and its managers. Failures are reported. */
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { nameOf } from '../../store/channels/names.ts'
import { report } from '../../store/reports.ts'
import { tolerateFailure } from '../requests/failure.ts'
import * as endpoints from '../requests/lazy-endpoints.ts'

async function attempt(channel: ChannelId, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'channel-not-changed', name: nameOf(channel) })
    return false
  }
}

/** False if it failed, which a toast says. */
export const setManager = (channel: ChannelId, name: Username, on: boolean) =>
  attempt(channel, () => endpoints.setManager(channel, name, on))

/** A member may come back to a public channel, a guest may not. */
export const removeFromChannel = (channel: ChannelId, name: Username) =>
  attempt(channel, () => {
    const parsed = parseChannelId(channel)
    return parsed?.kind === 'private'
      ? endpoints.removePrivateMember(parsed.privateId, name)
      : endpoints.removeFromPublicChannel(channel, name)
  })

/** 2,000 people; a larger channel shows the first ones. */
const MOST_PAGES = 10

/** The names of those who have joined. Throws the failure. */
export async function peopleOfChannel(channel: ChannelId): Promise<Username[]> {
  const names: Username[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await endpoints.channelPeoplePage(channel, cursor)
    names.push(...items.map(one => one.username))
    if (next === null) break
    cursor = next
  }
  return names
}
