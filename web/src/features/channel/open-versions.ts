/** The list of a message's earlier texts, from "(edited)". */
import { h } from 'preact'
import { openPopover } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'

export const versions = part<typeof import('./versions/Versions.tsx')>()

export const openVersions = (anchor: HTMLElement, label: string, message: number) =>
  versions.use(({ Versions }) => openPopover(anchor, label, () => h(Versions, { message })))
