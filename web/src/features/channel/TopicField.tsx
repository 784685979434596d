import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelInfoPayload } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { changeChannelInfo } from '../../net/lazy-endpoints.ts'
import { channelOf } from '../../store/channels.ts'
import { nameOf } from '../../store/names.ts'
import { report } from '../../store/reports.ts'

const LONGEST = 250

export interface TopicFieldProps {
  info: ChannelInfoPayload
  done: () => void
}

/** Enter and leaving the field save, Escape discards. */
export function TopicField({ info, done }: TopicFieldProps) {
  const [text, setText] = useState(info.topic ?? '')
  const field = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => field.current?.select(), [])
  const end = (isSaved: boolean, isFocused: boolean) => {
    if (isOver.current) return
    isOver.current = true
    const header = field.current?.closest('header')
    done()
    if (isFocused)
      requestAnimationFrame(() => header?.querySelector<HTMLElement>('.channel-header-topic')?.focus())
    if (isSaved) void save(info, text.trim() || null)
  }
  return (
    <input
      ref={field}
      class="channel-header-topic-field"
      value={text}
      maxLength={LONGEST}
      aria-label={strings.header.topic}
      autocomplete="off"
      onInput={event => setText(event.currentTarget.value)}
      onBlur={() => end(true, false)}
      onKeyDown={event => {
        if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
        event.preventDefault()
        event.stopPropagation()
        end(event.key === 'Enter', true)
      }}
    />
  )
}

/** Shown at once, and taken back if the server refuses. */
async function save(info: ChannelInfoPayload, topic: string | null) {
  if (topic === info.topic) return
  const shown = channelOf(info.channel).info
  const changed = { ...(shown.peek() ?? info), topic }
  shown.value = changed
  try {
    await changeChannelInfo(info.channel, { topic })
  } catch (error) {
    tolerateFailure(error)
    if (shown.peek() === changed) shown.value = info
    report({ what: 'channel-not-changed', name: nameOf(info.channel) })
  }
}
