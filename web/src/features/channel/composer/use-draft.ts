import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { draftOf, drafts, keepDraft, onLeaving } from '../../../store/writing/drafts.ts'

/** Delay in ms after the last key before the draft is saved. */
const SAVE_AFTER = 300

/** The text of a composer, kept as the draft of its channel on this device and in agreement between tabs. */
export function useDraft(channel: ChannelId, field: RefObject<HTMLTextAreaElement | null>) {
  const [text, setText] = useState(() => draftOf(channel))
  const latest = useRef(text)
  latest.current = text
  useEffect(() => {
    // The field, because it may have been emptied since.
    const timer = setTimeout(() => keepDraft(channel, field.current?.value ?? text), SAVE_AFTER)
    return () => clearTimeout(timer)
  }, [text])
  // Saves at once when the channel or the page is left, or the viewer signs out.
  useEffect(() => {
    const keep = () => keepDraft(channel, latest.current)
    const forget = onLeaving(keep)
    addEventListener('pagehide', keep)
    return () => {
      forget()
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  // Takes over the draft that another tab or device has changed. Text that is not saved yet is newer.
  const elsewhere = drafts.value.get(channel) ?? ''
  const known = useRef(elsewhere)
  useEffect(() => {
    // The first time, keys may have been pressed since the text was read.
    if (elsewhere === known.current) return
    // The field, because a key may have been pressed since it was drawn.
    const typed = field.current?.value ?? latest.current
    const isUnchanged = typed === known.current
    known.current = elsewhere
    if (isUnchanged || typed.trim() === '') setText(elsewhere)
  }, [elsewhere])
  return [text, setText] as const
}
