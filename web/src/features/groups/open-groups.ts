/** Opens the parts of groups, which follow the first screen. */
import { h } from 'preact'
import type { ChannelId } from '#shared/domain/units.ts'
import { openPopover } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'

export { editedGroup, type MassMention } from './group-state.ts'

export const groupsPart = part<typeof import('./groups-part.ts')>()

/** Shows name and members of a group beside its mention. */
export const openGroup = (anchor: HTMLElement, handle: string) =>
  groupsPart.use(({ GroupCard }) =>
    openPopover(anchor, `@${handle}`, () => h(GroupCard, { key: handle, handle })),
  )

/** `missed`: value of the header `X-Mention-Missed`. */
export const offerToAdd = (channel: ChannelId, missed: string) =>
  groupsPart.use(module => void module.offerToAdd(channel, missed))
