import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { isDm, nameOf, othersIn } from '../store/channels/names.ts'

/** Where a message stands: in #engineering, in Rev C board, direct message. */
export const placeWords = (channel: ChannelId) =>
  isDm(channel) && othersIn(channel).length < 2
    ? strings.activity.direct
    : strings.activity.in(nameOf(channel))
