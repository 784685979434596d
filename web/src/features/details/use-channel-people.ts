import { useEffect, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { peopleOfChannel } from '../../net/channels/channel-members.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { viewer } from '../../store/store.ts'

/** The people who have joined a public channel, or the members of another one. Empty until they are known. */
export function useChannelPeople({ id, info, members }: Channel): readonly Username[] {
  const [joined, setJoined] = useState<readonly Username[]>([])
  const isPublic = info.value?.kind === 'public'
  useEffect(() => {
    let isOver = false
    if (isPublic)
      void peopleOfChannel(id).then(
        names => !isOver && setJoined(names),
        error => tolerateFailure(error),
      )
    return () => {
      isOver = true
    }
  }, [id, isPublic, info.value?.members])
  return isPublic ? joined : [...members.value, viewer]
}
