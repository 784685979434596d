import { useRef } from 'preact/hooks'
import type { PublicChannelPayload, PublicChannelsPage } from '#shared/domain/payloads/channels.ts'
import { type PublicChannelSort, publicChannelsPage } from '../net/requests/lazy-endpoints.ts'
import { noteNames } from '../store/channels/names.ts'
import { usePages } from './use-pages.ts'

/** After the last key, ms. */
const SETTLED = 120

export interface Asked {
  words: string
  sort: PublicChannelSort
  archived: boolean
  /** Requests the list again when one of them changes. */
  again?: readonly unknown[]
}

/**
 * The public channels that match, page by page. The list stays until the next one is there: `isOfWords`, and `isOfKind` for
 * archived or not.
 */
export function usePublicChannels(asked: Asked) {
  const list = `${asked.archived} ${asked.words}`
  const shown = useRef<string>(undefined)
  const counts = useRef<PublicChannelsPage['counts']>(undefined)
  const request = async (cursor: string | undefined, signal?: AbortSignal) => {
    const page = await publicChannelsPage({ ...asked, withWriters: true }, cursor, signal)
    if (cursor === undefined && !signal?.aborted) shown.current = list
    noteNames(page.items)
    counts.current = page.counts ?? counts.current
    return page
  }
  const pages = usePages<PublicChannelPayload>(
    [asked.words, asked.sort, asked.archived, ...(asked.again ?? [])],
    request,
    {
      settle: SETTLED,
    },
  )
  return {
    ...pages,
    counts: counts.current,
    isOfWords: shown.current === list,
    isOfKind: shown.current?.startsWith(`${asked.archived} `) ?? false,
  }
}
