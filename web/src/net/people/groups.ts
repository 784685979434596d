/** Making and changing groups (interface 15.3), and adding their people to a channel. */
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { groupNamed } from '../../store/people/groups.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { addPrivateMember, addToPublicChannel } from '../requests/lazy-endpoints.ts'
import { loadGroups } from './load-groups.ts'

const path = (handle: string) => `/groups/${encodeURIComponent(handle)}`

export interface GroupDraft {
  handle: string
  name: string
  members: Username[]
  client_id: string
}
export interface GroupChange {
  handle?: string
  name?: string
  add?: Username[]
  remove?: Username[]
}

/** The list is read at once instead of with the next frame. Throws `Failure`. */
export async function makeGroup(draft: GroupDraft) {
  await endpoints.postJson('/groups', draft)
  await loadGroups()
}

export async function changeGroup(handle: string, change: GroupChange) {
  await endpoints.postJson(path(handle), change, { method: 'PATCH' })
  await loadGroups()
}

export async function deleteGroup(handle: string) {
  await endpoints.request(path(handle), { method: 'DELETE' })
  await loadGroups()
}

/** The people of these groups who cannot read the channel. Throws `Failure`. */
export async function peopleOutside(channel: ChannelId, handles: readonly string[]): Promise<Username[]> {
  await loadGroups()
  const members = new Set(await endpoints.channelMembers(channel))
  const named = handles.flatMap(handle => groupNamed(handle)?.members ?? [])
  return [...new Set(named)].filter(name => !members.has(name))
}

const MOST_ADDED = 100

/** Adds people to a channel. Returns those who were not added. */
export async function addToChannel(channel: ChannelId, names: readonly Username[]): Promise<Username[]> {
  const parsed = parseChannelId(channel)
  const skipped: Username[] = []
  for (let at = 0; at < names.length; at += MOST_ADDED) {
    const some = names.slice(at, at + MOST_ADDED)
    try {
      if (parsed?.kind === 'public') skipped.push(...(await addToPublicChannel(channel, some)).skipped)
      else if (parsed?.kind === 'private')
        for (const name of some) await addPrivateMember(parsed.privateId, name).catch(refused(name))
    } catch (error) {
      tolerateFailure(error)
      skipped.push(...some)
    }
  }
  return skipped

  function refused(name: Username) {
    return (error: unknown) => {
      tolerateFailure(error)
      skipped.push(name)
    }
  }
}
