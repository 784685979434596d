import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type * as v from 'valibot'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { findReadableMessage, type ReadableMessage } from '#shared/access/readable-message.ts'
import type { Scope } from '#shared/domain/tokens.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type Charge, rateLimits } from '#shared/http/rate-limits.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { atOnce } from '../middleware/at-once.ts'
import { perStores } from '../middleware/per-stores.ts'
import { readFields } from '../middleware/read-fields.ts'
import { findChannel } from '../slack-api/lookup.ts'
import type { JsonSchema } from './schemas.ts'

/** A call of a tool. */
export interface ToolCall {
  stores: Stores
  viewer: Username
  /** The only channels that the token reaches; null: all of the account. */
  channels: readonly ChannelId[] | null
  /** The address of this server, for permalinks. */
  origin: string
}

/** Description of a tool, as clients list it. */
interface About {
  title: string
  description: string
  annotations: ToolAnnotations
  inputSchema: JsonSchema
  outputSchema: JsonSchema
}

interface Entry<Args extends v.GenericSchema> extends Omit<About, 'annotations'> {
  scope: Extract<Scope, 'read' | 'write'>
  /** Limits per person for which a call counts. */
  limit?: readonly Charge[0][]
  args: Args
}

export interface Tool extends About {
  name: string
  scope: Scope
  run: (call: ToolCall, args: unknown) => Promise<object>
}

/** Calls in progress per user and process. */
const MOST_CALLS = 4
const callsAtOnce = perStores(stores => atOnce(stores, MOST_CALLS))

/** Throws an HttpError for wrong arguments, whatever is not seen, and over a limit. */
export function tool<Args extends v.GenericSchema>(
  name: string,
  { scope, limit = [], args: schema, ...about }: Entry<Args>,
  handle: (call: ToolCall, args: v.InferOutput<Args>) => Promise<object>,
): Tool {
  const isReading = scope === 'read'
  return {
    ...{ name, scope, ...about },
    annotations: {
      title: about.title,
      readOnlyHint: isReading,
      ...(!isReading && { destructiveHint: false, idempotentHint: false }),
      openWorldHint: false,
    },
    async run(call, given = {}) {
      const { stores, viewer } = call
      await rateLimits(stores)(...limit.map((counted): Charge => [counted, viewer]))
      const args = readFields(schema, given, { mustBeObject: 'arguments' })
      return await callsAtOnce(stores)(viewer, () => handle(call, args))
    },
  }
}

export const mayReach = ({ channels }: ToolCall, channel: ChannelId): boolean =>
  channels === null || channels.includes(channel)

/** The channel that an argument names: an id, `#name`, or a person for the DM with them. */
export async function channelNamed(call: ToolCall, text: string): Promise<ReadableChannel> {
  const channel = await findChannel(call, text.trim())
  if (!channel || !mayReach(call, channel.id)) throw errors.coded(404, 'not_found', 'channel not found')
  return channel
}

/** A message of this channel, a deleted one included. */
export async function messageIn(
  { stores, viewer }: ToolCall,
  channel: ReadableChannel,
  id: number,
): Promise<ReadableMessage> {
  const message = await findReadableMessage(stores, viewer, String(id))
  if (message?.channel.id !== channel.id)
    throw errors.coded(404, 'not_found', 'message not found in this channel')
  return message
}
