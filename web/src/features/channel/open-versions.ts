/** The list of a message's earlier texts, from "(edited)". */
import { h } from 'preact'
import { withModule } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

export const openVersions = (anchor: HTMLElement, label: string, message: number) =>
  withModule(
    () => import('./versions/Versions.tsx'),
    ({ Versions }) => openPopover(anchor, label, () => h(Versions, { message })),
  )
