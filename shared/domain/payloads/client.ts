/** The page of the client: its first lists, its configuration, its version. */
import type { ChannelId } from '../units.ts'
import type { MePayload } from './account.ts'
import type { WorkspacePayload } from './administration.ts'
import type { ChannelUnreadsPayload, DmPayload, PrivateChannelPayload } from './channels.ts'
import type { SidebarPayload } from './sidebar.ts'

/** Lists embedded in the client's page, named after the endpoints that return the same. */
export interface FirstListsPayload {
  channels: ChannelId[]
  private_channels: PrivateChannelPayload[]
  dms: DmPayload[]
  channel_unreads: ChannelUnreadsPayload
  sidebar: SidebarPayload
  workspace?: WorkspacePayload | undefined
  me?: MePayload | undefined
}

/** GET /client_config (interface 8). */
export interface ClientConfigPayload {
  max_file_bytes: number
  max_avatar_bytes: number
  max_message_chars: number
  /** Messages older than this many days are deleted; 0: never. */
  retention_days?: number
  ice_servers: { urls: string[] }[]
  version: string
  /** SHA-256 fingerprint of the certificate that devices must trust (/trust); null if there is none. */
  authority?: string | null
  /** Origin for other people; null if only the machine of the server can open this one. */
  address?: string | null
}

/** GET /version (interface 9). */
export interface VersionPayload {
  version: string
  commit: string
  api: 1
  /** The first script of the client that this server serves: a tab running another one has another build. */
  client: string | null
}
