import { channelInfo } from './channel-info.ts'
import { channelUnreads } from './channel-unreads.ts'
import type { ChannelCollection, GlobalCollection } from './collection.ts'
import { dms } from './dms.ts'
import { inbox } from './inbox/inbox.ts'
import { incomingCalls } from './incoming-calls.ts'
import { me } from './me.ts'
import { mentions } from './mentions.ts'
import { onlineUsers } from './online-users.ts'
import { people } from './people.ts'
import { privateChannels } from './private-channels.ts'
import { readReceipts } from './read-receipts.ts'
import { runningCalls } from './running-calls.ts'
import { screenshares } from './screenshares.ts'
import { sidebar } from './sidebar.ts'
import { typing } from './typing.ts'
import { unreadCount } from './unread-count.ts'
import { workspace } from './workspace.ts'

/** The collections in the order of the interface's table (6), without `messages`, which has a cursor. */
export const channelCollections: ChannelCollection[] = [
  typing,
  readReceipts,
  screenshares,
] as ChannelCollection[]
export const globalCollections: GlobalCollection[] = [
  onlineUsers,
  dms,
  channelUnreads,
  privateChannels,
  mentions,
  unreadCount,
  incomingCalls,
] as GlobalCollection[]
/** Collections of a channel whose events a stream receives only if it asks for them (interface 6.1). */
export const extraChannelCollections: ChannelCollection[] = [channelInfo] as ChannelCollection[]
/** The same for global ones. */
export const extraCollections: GlobalCollection[] = [
  sidebar,
  inbox,
  runningCalls,
  workspace,
  me,
  people,
] as GlobalCollection[]
