import { useEffect, useState } from 'preact/hooks'
import type { ArchivedPrivateChannelPayload, PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { archivedPrivateChannels } from '../../net/requests/lazy-endpoints.ts'
import { noteNames } from '../../store/channels/names.ts'

interface Found {
  items: PublicChannelPayload[]
  /** Number without regard to the words; undefined until the list has come. */
  total: number | undefined
  hasFailed: boolean
  again: () => void
}

/** The viewer's archived private channels with these words in name or topic; none unless `isAsked`. */
export function useArchivedPrivate(isAsked: boolean, words: string): Found {
  const [list, setList] = useState<ArchivedPrivateChannelPayload[] | undefined>(undefined)
  const [hasFailed, setFailed] = useState(false)
  const load = () =>
    archivedPrivateChannels().then(
      channels => {
        noteNames(channels)
        setList(channels)
        setFailed(false)
      },
      error => {
        tolerateFailure(error)
        setFailed(true)
      },
    )
  useEffect(() => {
    if (isAsked) void load()
  }, [isAsked])
  const wanted = words.toLowerCase()
  const isFound = (text: string | null) => text?.toLowerCase().includes(wanted) ?? false
  const found = isAsked && list ? list.filter(one => isFound(one.name) || isFound(one.topic)) : []
  return {
    items: found.map(shownAs),
    total: list?.length,
    hasFailed: isAsked && hasFailed,
    again: () => void load(),
  }
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
