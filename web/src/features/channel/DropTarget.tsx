import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { nameOf } from '../../store/names.ts'
import { addTransferred } from './attachments.ts'

interface Props {
  channel: Channel
  children: ComponentChildren
}

/** Accepts files dropped anywhere on the sheet. */
export function DropTarget({ channel, children }: Props) {
  const [over, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be added with the button, too
    <div
      class="drop-target"
      onDragOver={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        if (event.dataTransfer) addTransferred(channel, event.dataTransfer)
      }}
    >
      {children}
      {over && <div class="drop-hint">{strings.composer.drop(nameOf(channel.id))}</div>}
    </div>
  )
}
