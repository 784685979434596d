/** Opens the parts of groups, which are all loaded on demand. */
import { h } from 'preact'
import type { ChannelId } from '#shared/domain/units.ts'
import { lazyComponent, withModule } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

export { editedGroup, type MassMention } from './group-state.ts'

const chunk = () => import('./lazy-chunk.ts')

export const NotifyManyBar = lazyComponent(() => chunk().then(module => module.NotifyManyBar))
export const GroupDialog = lazyComponent(() => chunk().then(module => module.GroupDialog))

/** Shows name and members of a group beside its mention. */
export const openGroup = (anchor: HTMLElement, handle: string) =>
  withModule(chunk, ({ GroupCard }) =>
    openPopover(anchor, `@${handle}`, () => h(GroupCard, { key: handle, handle })),
  )

/** `missed`: value of the header `X-Mention-Missed`. */
export const offerToAdd = (channel: ChannelId, missed: string) =>
  withModule(chunk, module => void module.offerToAdd(channel, missed))
