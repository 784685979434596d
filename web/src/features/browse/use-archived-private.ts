import { useEffect, useState } from 'preact/hooks'
import type { ArchivedPrivateChannelPayload, PublicChannelPayload } from '#shared/domain/payloads.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { archivedPrivateChannels } from '../../net/lazy-endpoints.ts'
import { noteNames } from '../../store/names.ts'

interface Found {
  items: PublicChannelPayload[]
  /** Number without regard to the words; undefined until the list has come. */
  total: number | undefined
}

/** The viewer's archived private channels with these words in name or topic; none unless `isAsked`. */
export function useArchivedPrivate(isAsked: boolean, words: string): Found {
  const [list, setList] = useState<ArchivedPrivateChannelPayload[] | undefined>(undefined)
  useEffect(() => {
    if (!isAsked) return
    archivedPrivateChannels().then(channels => {
      noteNames(channels)
      setList(channels)
    }, tolerateFailure)
  }, [isAsked])
  const wanted = words.toLowerCase()
  const isFound = (text: string | null) => text?.toLowerCase().includes(wanted) ?? false
  const found = isAsked && list ? list.filter(one => isFound(one.name) || isFound(one.topic)) : []
  return { items: found.map(shownAs), total: list?.length }
}

const shownAs = ({ channel, name, topic, members }: ArchivedPrivateChannelPayload): PublicChannelPayload => ({
  channel,
  name,
  topic,
  members,
  description: null,
  joined: false,
  default: false,
  posting: 'everyone',
  archived: true,
  created_by: null,
  created_ts: null,
  newest_ts: null,
})
