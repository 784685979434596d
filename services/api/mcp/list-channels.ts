import { payloadFor } from '#shared/collections/collection.ts'
import { sidebar } from '#shared/collections/sidebar.ts'
import { fragmentOf } from '#shared/domain/fragment.ts'
import type { SidebarChannelPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { publicChannelPage } from '../channels/public/page.ts'
import * as f from '../middleware/fields.ts'
import { fitted } from './fitted.ts'
import { flag, list, MORE, object, text } from './schemas.ts'
import { mayReach, type ToolCall, tool } from './tool.ts'

/** Channels of a page of the directory, and pages that a call reads. */
const PAGE = 200
const MOST_PAGES = 5

type FoundChannel = Awaited<ReturnType<typeof publicChannelPage>>['page'][number]

const CHANNEL = object(
  {
    id: text(),
    kind: text('public, private or dm'),
    joined: flag('The account has it in its sidebar.'),
    permalink: text(),
  },
  { name: text(), topic: text('Written by people.'), people: list(text(), 'Of a dm: the others.') },
)

export const listChannels = tool(
  'list_channels',
  {
    scope: 'read',
    title: 'List channels',
    description: 'Channels and conversations that the account reads: joined ones first, archived ones not.',
    inputSchema: object({}),
    outputSchema: object({ you: text('The username of the account.'), channels: list(CHANNEL), more: MORE }),
    args: f.fields({}),
  },
  async call => {
    const { stores, viewer, origin } = call
    const { channels } = await payloadFor(sidebar, stores, viewer)
    const joined = channels.filter(({ channel }) => mayReach(call, channel))
    const { found, isCut } = await directory(call)
    const topics = new Map(found.map(({ channel, topic }) => [channel, topic]))
    const known = new Set(joined.map(({ channel }) => channel))
    const items = [
      ...joined.map(one => shownJoined(one, topics.get(one.channel) ?? null, origin)),
      ...found.filter(({ channel }) => !known.has(channel)).map(one => shownOther(one, origin)),
    ]
    return fitted(items, (some, isShort) => ({ you: viewer, channels: some, more: isShort || isCut }))
  },
)

/** Public channels that the token reaches, by name. */
async function directory(call: ToolCall): Promise<{ found: FoundChannel[]; isCut: boolean }> {
  const found: FoundChannel[] = []
  let after: FoundChannel['place'] | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const filter = { q: undefined, withArchived: false, sort: 'name', after, limit: PAGE } as const
    const { page: some, last } = await publicChannelPage(call.stores, call.viewer, filter)
    found.push(...some.filter(({ channel }) => mayReach(call, channel)))
    if (!last) return { found, isCut: false }
    after = last.place
  }
  return { found, isCut: true }
}

const linkTo = (channel: ChannelId, origin: string) => `${origin}/${fragmentOf(channel)}`

function shownJoined(
  { channel: id, kind, name, users }: SidebarChannelPayload,
  topic: string | null,
  origin: string,
) {
  return {
    ...{ id, kind, joined: true, permalink: linkTo(id, origin) },
    ...(name !== null && { name }),
    ...(topic !== null && { topic }),
    ...(users && { people: users }),
  }
}

function shownOther({ channel: id, name, topic, joined }: FoundChannel, origin: string) {
  return {
    ...{ id, kind: 'public', joined, permalink: linkTo(id, origin), name },
    ...(topic !== null && { topic }),
  }
}
