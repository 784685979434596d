import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { PersonName } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { outbox } from '../../net/browser-outbox.ts'
import { toLatest } from '../../net/open-channel.ts'
import { forgetTyping, reportTyping } from '../../net/typing.ts'
import type { Channel } from '../../store/channels.ts'
import { draftOf, drafts, keepDraft } from '../../store/drafts.ts'
import { nameOf } from '../../store/names.ts'
import { config, isPhone } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { AttachmentTray } from './AttachmentTray.tsx'
import { addFiles, attachmentsOf, takeAttachments } from './attachments.ts'
import { fitHeight } from './autosize.ts'
import { completed, type Typing, typingAt, wrapped } from './completion.ts'
import { editLast } from './edit-last.ts'
import { emojiOf } from './emoji.ts'
import { type Choice, choicesFor, MentionMenu } from './MentionMenu.tsx'
import { openEmojiPicker } from './message-actions.tsx'
import { snippet } from './ReplyQuote.tsx'
import { TypingLine } from './TypingLine.tsx'
import './Composer.css'

const SAVE_AFTER = 300
const FORMATS = [
  { key: 'b', shift: false, mark: '*', icon: 'bold', label: 'bold' },
  { key: 'i', shift: false, mark: '_', icon: 'italic', label: 'italic' },
  { key: 'x', shift: true, mark: '~', icon: 'strike', label: 'strike' },
  { key: 'e', shift: true, mark: '`', icon: 'code', label: 'code' },
] as const

interface Props {
  channel: Channel
  autofocus: boolean
}

export function Composer({ channel, autofocus }: Props) {
  const [text, setText] = useState(() => draftOf(channel.id))
  const [typing, setTyping] = useState<Typing | undefined>(undefined)
  const [at, setAt] = useState(0)
  const [formatting, setFormatting] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const latest = useRef(text)
  latest.current = text
  const name = nameOf(channel.id)
  const tooLong = text.length > config.value.max_message_chars
  const attached = attachmentsOf(channel)
  const ready = (text.trim() !== '' || attached.length > 0) && !tooLong
  const choices = typing ? choicesFor(channel, typing) : []

  useLayoutEffect(() => fitHeight(field.current!), [text])
  useLayoutEffect(() => {
    if (!autofocus) return
    const area = field.current!
    area.focus({ preventScroll: true })
    area.setSelectionRange(area.value.length, area.value.length)
  }, [])
  // Saves the draft shortly after the last key, and at once when the channel is left.
  useEffect(() => {
    const timer = setTimeout(() => keepDraft(channel.id, text), SAVE_AFTER)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const keep = () => keepDraft(channel.id, latest.current)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  // Takes over the draft that another tab has changed.
  const elsewhere = drafts.value.get(channel.id) ?? ''
  useEffect(() => {
    if (document.activeElement !== field.current && elsewhere !== latest.current) setText(elsewhere)
  }, [elsewhere])

  const change = (area: HTMLTextAreaElement) => {
    setText(area.value)
    setTyping(typingAt(area.value, area.selectionStart))
    setAt(0)
    if (area.value.trim() !== '') reportTyping(channel.id)
  }
  const put = (value: string, start: number, end = start) => {
    const area = field.current!
    area.value = value
    area.setSelectionRange(start, end)
    area.focus()
    change(area)
  }
  const insert = (piece: string) => {
    const { value, selectionStart, selectionEnd } = field.current!
    put(value.slice(0, selectionStart) + piece + value.slice(selectionEnd), selectionStart + piece.length)
  }
  const pick = (choice: Choice) => {
    const area = field.current!
    if (!typing) return
    const done = completed(area.value, area.selectionStart, typing, choice.insert)
    put(done.text, done.caret)
    setTyping(undefined)
  }
  const format = (mark: string) => {
    const { value, selectionStart, selectionEnd } = field.current!
    const done = wrapped(value, selectionStart, selectionEnd, mark)
    put(done.text, done.start, done.end)
  }
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
    setTyping(undefined)
    keepDraft(channel.id, '')
    area.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // 229: the key belongs to an input method; Safari omits isComposing after the composition has ended.
    if (event.isComposing || event.keyCode === 229) return
    if (choices.length > 0 && onChoiceKey(event)) return
    const command = event.ctrlKey || event.metaKey
    const style = FORMATS.find(
      one => command && !event.altKey && one.key === event.key.toLowerCase() && one.shift === event.shiftKey,
    )
    if (style) {
      event.preventDefault()
      format(style.mark)
    } else if (event.key === 'Enter' && !event.shiftKey && !isPhone.peek()) {
      event.preventDefault()
      sendNow()
    } else if (
      event.key === 'ArrowUp' &&
      field.current!.value === '' &&
      !command &&
      !event.shiftKey &&
      !event.altKey
    ) {
      if (editLast(channel)) event.preventDefault()
    }
  }
  const onChoiceKey = (event: KeyboardEvent) => {
    const choice = choices[at]
    if (event.key === 'ArrowDown') setAt((at + 1) % choices.length)
    else if (event.key === 'ArrowUp') setAt((at - 1 + choices.length) % choices.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && choice) pick(choice)
    else if (event.key === 'Escape') setTyping(undefined)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return (
    <div class="composer-area" data-region="composer">
      <div class="message-column">
        <div class="composer">
          {typing && choices.length > 0 && (
            <MentionMenu channel={channel} typing={typing} choices={choices} at={at} pick={pick} />
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
            placeholder={strings.composer.placeholder(name)}
            aria-label={strings.composer.placeholder(name)}
            aria-autocomplete="list"
            aria-controls={choices.length > 0 ? 'choices' : undefined}
            aria-activedescendant={choices.length > 0 ? `choice-${at}` : undefined}
            onInput={event => change(event.currentTarget)}
            onKeyDown={onKeyDown}
            onClick={event =>
              setTyping(typingAt(event.currentTarget.value, event.currentTarget.selectionStart))
            }
            onBlur={() => setTyping(undefined)}
            onPaste={event => {
              const pasted = [...(event.clipboardData?.files ?? [])]
              if (pasted.length === 0) return
              event.preventDefault()
              addFiles(channel, pasted)
            }}
          />
          <input
            ref={files}
            type="file"
            multiple
            hidden
            accept="image/png,image/jpeg,image/gif,image/webp"
            aria-label={strings.composer.addFiles}
            onChange={event => {
              addFiles(channel, [...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
              field.current?.focus()
            }}
          />
          <div class="composer-bar">
            <IconButton
              icon="plus"
              label={strings.composer.addFiles}
              onClick={() => files.current?.click()}
            />
            <IconButton
              icon="smile"
              label={strings.composer.emoji}
              onClick={event =>
                openEmojiPicker(event.currentTarget, strings.picker.emojiLabel, (chosen, keepOpen) => {
                  if (!keepOpen) closePopover(false)
                  insert(emojiOf(chosen))
                })
              }
            />
            <IconButton
              icon="at"
              label={strings.composer.mention}
              onClick={() => insert(/\S$/.test(text) ? ' @' : '@')}
            />
            <IconButton
              icon="format"
              label={strings.composer.formatting}
              aria-pressed={formatting}
              onClick={() => setFormatting(!formatting)}
            />
            {formatting && (
              <span class="composer-format" role="group" aria-label={strings.composer.formatting}>
                {FORMATS.map(one => (
                  <IconButton
                    key={one.icon}
                    icon={one.icon}
                    label={strings.composer[one.label]}
                    onClick={() => format(one.mark)}
                  />
                ))}
              </span>
            )}
            <span class="grow" />
            {text !== '' && !isPhone.value && (
              <span class="composer-hint" aria-hidden="true">
                <span class="key-caps">
                  <kbd>Shift</kbd>
                  <kbd>Enter</kbd>
                </span>
                {strings.composer.newLine}
              </span>
            )}
            <button
              type="button"
              class={ready ? 'composer-send is-on' : 'composer-send'}
              aria-label={strings.composer.send}
              title={strings.composer.send}
              aria-disabled={!ready}
              onMouseDown={event => event.preventDefault()}
              onClick={sendNow}
            >
              <Icon name="send" />
            </button>
          </div>
        </div>
        <div class="composer-foot">
          {tooLong ? (
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

function ReplyBar({ channel }: { channel: Channel }) {
  const id = channel.replyTo.value
  const row = id === undefined ? undefined : channel.findRow(id)
  if (!row) return null
  return (
    <div class="composer-context">
      <Icon name="reply" size={16} flip />
      <span>
        {strings.composer.replying} <PersonName name={row.sender} />
      </span>
      <span class="composer-context-text" dir="auto">
        {snippet(row)}
      </span>
      <IconButton
        icon="x"
        label={strings.composer.cancelReply}
        size={28}
        onClick={() => {
          channel.replyTo.value = undefined
        }}
      />
    </div>
  )
}
