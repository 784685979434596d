/** Typed functions for the commands of the workspace (interface 19). */
import type {
  CommandAnswerPayload,
  CommandPayload,
  MadeCommandPayload,
} from '#shared/domain/payloads/commands.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { list, postJson, request, whole } from './endpoints.ts'

export interface CommandDraft {
  name: string
  url: string
  description: string | null
  usage: string | null
  bot: Username
}

const path = (name: string) => `/commands/${encodeURIComponent(name)}`

export const commands = () => list<CommandPayload>('/commands')

export const makeCommand = async (draft: CommandDraft & { client_id: string }): Promise<MadeCommandPayload> =>
  whole((await postJson('/commands', draft)).json())

export const changeCommand = (name: string, change: Partial<CommandDraft>) =>
  postJson(path(name), change, { method: 'PATCH' })

export const removeCommand = (name: string) => request(path(name), { method: 'DELETE' })

/** Undefined without an answer for the caller alone. */
export async function runCommand(
  channel: ChannelId,
  input: { text: string; reply_to_id?: number; client_id: string },
): Promise<CommandAnswerPayload | undefined> {
  const response = await postJson(`/command/${encodeURIComponent(channel)}`, input)
  return response.status === 204 ? undefined : whole(response.json())
}
