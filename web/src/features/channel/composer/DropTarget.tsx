import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { addTransferred } from './offer-files.ts'
import './DropTarget.css'

interface Props {
  /** The key of the draft that takes the files; undefined if none does. */
  place: string | undefined
  hint: string
  children: ComponentChildren
}

/** Accepts files dropped anywhere on a channel or a thread. */
export function DropTarget({ place, hint, children }: Props) {
  const [over, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be added with the button, too
    <div
      class="drop-target"
      onDragOver={event => {
        if (!hasFiles(event)) return
        // Where none are taken, the browser must not open them in place of the client either.
        event.preventDefault()
        if (place !== undefined) setOver(true)
        else event.dataTransfer!.dropEffect = 'none'
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        if (event.dataTransfer && place !== undefined) addTransferred(place, event.dataTransfer)
      }}
    >
      {children}
      {over && place !== undefined && (
        <div class="drop-hint">
          <span>{hint}</span>
        </div>
      )}
    </div>
  )
}
