import { useEffect, useState } from 'preact/hooks'
import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { ChannelInfoPayload, PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import { channelInfo } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { publicChannelsPage } from '../../net/requests/lazy-endpoints.ts'
import { noteNames } from '../../store/channels/names.ts'
import { isCloseName, partsOf } from './close-name.ts'

/** ms after the last key. */
const SETTLED = 120

export interface Namesakes {
  /** The channel whose id a new one of this name would have. */
  twin?: ChannelInfoPayload | undefined
  /** A channel that may be meant. */
  near?: PublicChannelPayload | undefined
}

/** Public channels with the same or a close name, once typing pauses. Without an answer there are none. */
export function useNamesakes(name: string): Namesakes {
  const id = channelIdFromName(name)
  const [found, setFound] = useState<Namesakes & { id: string }>({ id: '' })
  useEffect(() => {
    const abort = new AbortController()
    const ask = async () => {
      try {
        const namesakes = await namesakesOf(id, abort.signal)
        if (!abort.signal.aborted) setFound({ id, ...namesakes })
      } catch (error) {
        if (!abort.signal.aborted) tolerateFailure(error)
      }
    }
    const timer = id === '' ? undefined : setTimeout(() => void ask(), SETTLED)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [id])
  const { twin, near } = found
  return {
    twin: found.id === id ? twin : undefined,
    near: near && isCloseName(id, near.channel) ? near : undefined,
  }
}

/** The server finds parts of names. A slip of the keys leaves the beginning or the end as it was. */
async function namesakesOf(id: string, signal: AbortSignal): Promise<Namesakes> {
  const listed = async (words: string, archived: boolean) => {
    const { items } = await publicChannelsPage({ words, sort: 'members', archived }, undefined, signal)
    noteNames(items)
    return items
  }
  const [start, end] = partsOf(id)
  const [archived, open] = await Promise.all([listed(id, true), listed(start, false)])
  const twin = [...archived, ...open].find(({ channel }) => channel.toLowerCase() === id)
  const isNear = ({ channel }: PublicChannelPayload) => isCloseName(id, channel)
  const near = open.find(isNear) ?? (await listed(end, false)).find(isNear)
  return { near, twin: twin && (await channelInfo(twin.channel)) }
}
