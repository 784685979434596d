/** Opens the parts of groups, which are all loaded on demand. */
import { signal } from '@preact/signals'
import { h } from 'preact'
import type { GroupPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { lazyComponent, withModule } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

const chunk = () => import('./lazy-chunk.ts')

/** A mention of more people than the workspace lets a text tell without a question. */
export interface MassMention {
  /** `@everyone`, or the handles of the groups. */
  names: string[]
  count: number
  /** The people, if all are known. */
  people: Username[] | undefined
}

export const NotifyManyBar = lazyComponent(() => chunk().then(module => module.NotifyManyBar))
export const GroupDialog = lazyComponent(() => chunk().then(module => module.GroupDialog))

/** The group in the dialog; `new` for one to make. */
export const editedGroup = signal<GroupPayload | 'new' | undefined>(undefined)

/** Shows name and members of a group beside its mention. */
export const openGroup = (anchor: HTMLElement, handle: string) =>
  withModule(chunk, ({ GroupCard }) =>
    openPopover(anchor, `@${handle}`, () => h(GroupCard, { key: handle, handle })),
  )

/** `missed`: value of the header `X-Mention-Missed`. */
export const offerToAdd = (channel: ChannelId, missed: string) =>
  withModule(chunk, module => void module.offerToAdd(channel, missed))
