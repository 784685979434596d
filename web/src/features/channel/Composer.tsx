import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { outbox } from '../../net/browser-outbox.ts'
import { toLatest } from '../../net/open-channel.ts'
import { forgetTyping, reportTyping } from '../../net/typing.ts'
import type { Channel } from '../../store/channels.ts'
import { keepDraft } from '../../store/drafts.ts'
import { nameOf } from '../../store/names.ts'
import { config, isPhone } from '../../store/store.ts'
import { AttachmentTray } from './AttachmentTray.tsx'
import { addPasted, attachmentsOf, takeAttachments } from './attachments.ts'
import { fitHeight } from './autosize.ts'
import { ComposerBar } from './ComposerBar.tsx'
import { completed } from './completion.ts'
import { editLast } from './edit-last.ts'
import { formatOfKey } from './formats.ts'
import { MentionMenu } from './MentionMenu.tsx'
import { ReplyBar } from './ReplyBar.tsx'
import { TypingLine } from './TypingLine.tsx'
import { textFieldEdits } from './text-field-edits.ts'
import { useCompletion } from './use-completion.ts'
import { useDraft } from './use-draft.ts'
import './Composer.css'

interface Props {
  channel: Channel
  autofocus: boolean
}

/** Writes the messages of a channel: text with completion and formats, images, replies. */
export function Composer({ channel, autofocus }: Props) {
  const composer = useComposer(channel, autofocus)
  const { field, text, completion, edits } = composer
  const { typing, choices, at } = completion
  const placeholder = strings.composer.placeholder(nameOf(channel.id))
  return (
    <div class="composer-area" data-region="composer">
      <div class="message-column">
        <div class="composer">
          {typing && choices.length > 0 && (
            <MentionMenu channel={channel} typing={typing} choices={choices} at={at} pick={completion.pick} />
          )}
          <ReplyBar channel={channel} />
          <AttachmentTray channel={channel} />
          <textarea
            ref={field}
            class="composer-input"
            id="composer"
            rows={1}
            dir={text === '' ? undefined : 'auto'}
            value={text}
            placeholder={placeholder}
            aria-label={placeholder}
            aria-autocomplete="list"
            aria-controls={choices.length > 0 ? 'choices' : undefined}
            aria-activedescendant={choices.length > 0 ? `choice-${at}` : undefined}
            onInput={event => composer.change(event.currentTarget)}
            onKeyDown={composer.onKeyDown}
            onClick={event => completion.follow(event.currentTarget)}
            onBlur={completion.close}
            onPaste={event => addPasted(channel, event)}
          />
          <ComposerBar
            channel={channel}
            text={text}
            canSend={composer.canSend}
            insert={edits.insert}
            format={edits.format}
            send={composer.sendNow}
            focus={() => field.current?.focus()}
          />
        </div>
        <div class="composer-foot">
          {composer.isTooLong ? (
            <span class="error" role="alert">
              {strings.composer.tooLong(text.length, config.value.max_message_chars)}
            </span>
          ) : (
            <TypingLine names={channel.typing.value} />
          )}
        </div>
      </div>
    </div>
  )
}

function useComposer(channel: Channel, autofocus: boolean) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useDraft(channel.id, field)
  const completion = useCompletion(channel, (typing, choice) => {
    const { value, selectionStart } = field.current!
    const done = completed(value, selectionStart, typing, choice.insert)
    edits.put(done.text, done.caret)
  })
  const change = (area: HTMLTextAreaElement) => {
    setText(area.value)
    completion.restart(area)
    if (area.value.trim() !== '') reportTyping(channel.id)
  }
  const edits = textFieldEdits(field, change)
  const attached = attachmentsOf(channel)
  const isTooLong = text.length > config.value.max_message_chars

  useLayoutEffect(() => fitHeight(field.current!), [text])
  useLayoutEffect(() => {
    if (!autofocus) return
    const area = field.current!
    area.focus({ preventScroll: true })
    area.setSelectionRange(area.value.length, area.value.length)
  }, [])

  const sendNow = () => {
    const area = field.current!
    const body = area.value.trimEnd()
    if ((body.trim() === '' && attached.length === 0) || body.length > config.value.max_message_chars) return
    toLatest(channel)
    outbox.send(channel, {
      text: body.trim() === '' ? '' : body,
      replyTo: channel.replyTo.peek(),
      files: takeAttachments(channel),
    })
    channel.replyTo.value = undefined
    forgetTyping()
    area.value = ''
    setText('')
    completion.close()
    keepDraft(channel.id, '')
    area.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // 229: the key belongs to an input method; Safari omits isComposing after the composition has ended.
    if (event.isComposing || event.keyCode === 229 || completion.onKey(event)) return
    const style = formatOfKey(event)
    if (style) {
      event.preventDefault()
      edits.format(style.mark)
    } else if (event.key === 'Enter' && !event.shiftKey && !isPhone.peek()) {
      event.preventDefault()
      sendNow()
    } else if (isPlainArrowUp(event) && field.current!.value === '') {
      if (editLast(channel)) event.preventDefault()
    }
  }
  return {
    field,
    text,
    completion,
    edits,
    isTooLong,
    canSend: (text.trim() !== '' || attached.length > 0) && !isTooLong,
    change,
    sendNow,
    onKeyDown,
  }
}

const isPlainArrowUp = (event: KeyboardEvent) =>
  event.key === 'ArrowUp' && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
