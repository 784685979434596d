/** The page of the client: its first lists, its configuration, its version. */
import * as v from 'valibot'
import type { ChannelId } from '../units.ts'
import type { MePayload } from './account.ts'
import type { WorkspacePayload } from './administration.ts'
import type { ChannelUnreadsPayload, DmPayload, PrivateChannelPayload } from './channels.ts'
import type { SidebarPayload } from './sidebar.ts'
import { wholeNumber } from './values.ts'

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
export const ClientConfigPayload = v.strictObject({
  max_file_bytes: wholeNumber,
  max_avatar_bytes: wholeNumber,
  max_message_chars: wholeNumber,
  /** Messages older than this many days are deleted; 0: never. */
  retention_days: v.exactOptional(v.number()),
  ice_servers: v.array(v.strictObject({ urls: v.array(v.string()) })),
  version: v.string(),
  /** SHA-256 fingerprint of the certificate that devices must trust (/trust); null if there is none. */
  authority: v.exactOptional(v.nullable(v.string())),
  /** Origin for other people; null if only the machine of the server can open this one. */
  address: v.exactOptional(v.nullable(v.string())),
})
export type ClientConfigPayload = v.InferOutput<typeof ClientConfigPayload>

/** GET /version (interface 9). */
export const VersionPayload = v.strictObject({
  version: v.string(),
  commit: v.string(),
  api: v.literal(1),
  /** The first script of the client that this server serves: a tab running another one has another build. */
  client: v.nullable(v.string()),
})
export type VersionPayload = v.InferOutput<typeof VersionPayload>
