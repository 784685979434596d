import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { strings } from '../../../i18n/i18n.ts'
import { changeText } from '../../../net/channels/change-channel.ts'

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
  // Before the next key.
  useLayoutEffect(() => field.current?.select(), [])
  const end = (isSaved: boolean, isFocused: boolean) => {
    if (isOver.current) return
    isOver.current = true
    const header = field.current?.closest('header')
    done()
    if (isFocused)
      requestAnimationFrame(() => header?.querySelector<HTMLElement>('.channel-header-topic')?.focus())
    if (isSaved) void changeText(info, 'topic', text)
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
