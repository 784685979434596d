import { effect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { draftOf, drafts, keepDraft, onLeaving } from '../../../store/writing/drafts.ts'

/** Delay in ms after the last key before the draft is saved. */
const SAVE_AFTER = 300

/** The text of a composer, kept as the draft of its channel on this device and in agreement between tabs. */
export function useDraft(channel: ChannelId, field: RefObject<HTMLTextAreaElement | null>) {
  const [text, setText] = useState(() => draftOf(channel))
  /** The field and not the text, which is older: keys are pressed between a drawing and the next. */
  const keep = () => field.current && keepDraft(channel, field.current.value)
  useEffect(() => {
    const timer = setTimeout(keep, SAVE_AFTER)
    return () => clearTimeout(timer)
  }, [text])
  // A layout effect: its cleanup still has the field.
  useLayoutEffect(() => {
    const forget = onLeaving(keep)
    let known = text
    // At the moment of the change: after the next drawing, the field may be emptied or have new keys.
    const stop = effect(() => {
      const before = known
      known = drafts.value.get(channel) ?? ''
      const area = field.current!
      // Text that is not saved yet is newer than what another tab or device has written.
      const isSaved = area.value === before || (area.value.trim() === '' && before === '')
      if (!isSaved || known === before) return
      area.value = known
      setText(known)
    })
    return () => {
      stop()
      forget()
      keep()
    }
  }, [])
  return [text, setText] as const
}
