import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { config } from '../../../store/store.ts'
import type { ThreadPlace } from '../../../store/threads/thread-rows.ts'
import { commandBar } from '../../commands/open-commands.ts'
import { groupsPart } from '../../groups/open-groups.ts'
import { attachmentsOf, uploadsOf } from './attachments.ts'
import { fitHeight } from './autosize.ts'
import { ComposerBar } from './ComposerBar.tsx'
import { composerParts } from './composer-part.ts'
import { takesText } from './offer-files.ts'
import { TypingLine } from './TypingLine.tsx'
import { useComposer } from './use-composer.ts'
import './Composer.css'

interface Props {
  channel: Channel
  autofocus: boolean
  thread?: ThreadPlace
}

/** Writes the messages of a channel: text with completion and formats, files, replies. */
export function Composer({ channel, autofocus, thread }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const composer = useComposer(channel, field, thread)
  const { text, completion, edits, asked } = composer
  const { Menu, typing, choices, at } = completion
  const limit = config.value.max_message_chars
  const { place } = composer
  const hasFiles = attachmentsOf(place).length > 0 || uploadsOf(channel, thread?.root).length > 0
  const Tray = hasFiles ? composerParts.get('AttachmentTray') : undefined
  const Formats = preferred.showFormatting.value ? composerParts.get('FormattingBar') : undefined
  const Reply =
    thread !== undefined || channel.replyTo.value === undefined ? undefined : composerParts.get('ReplyBar')
  const Question = asked ? groupsPart.get('NotifyManyBar') : undefined
  const Unknown = composer.unknown === undefined ? undefined : commandBar.get('CommandBar')
  const Mark = composer.isTooLong ? composerParts.get('TooLongMark') : undefined
  const placeholder =
    thread === undefined ? strings.composer.placeholder(nameOf(channel.id)) : strings.threads.placeholder
  useLayoutEffect(() => fitHeight(field.current!), [text])
  useLayoutEffect(() => {
    if (!autofocus) return
    const area = field.current!
    area.focus({ preventScroll: true })
    area.setSelectionRange(area.value.length, area.value.length)
  }, [])
  return (
    <div class="composer-area" data-region={thread === undefined ? 'composer' : undefined}>
      <div class="message-column">
        {asked && Question && (
          <Question
            channel={channel}
            mention={asked}
            tell={composer.sendAsked}
            sendWithout={composer.sendWithout}
            back={composer.backToText}
          />
        )}
        {composer.unknown !== undefined && Unknown && (
          <Unknown name={composer.unknown} send={composer.sendUnknown} back={composer.backToText} />
        )}
        <div class="composer">
          {Menu && typing && choices.length > 0 && (
            <Menu channel={channel} typing={typing} choices={choices} at={at} pick={completion.pick} />
          )}
          {Reply && <Reply channel={channel} />}
          {Formats && <Formats field={field} />}
          {Tray && <Tray channel={channel} thread={thread?.root} place={place} />}
          <textarea
            ref={field}
            class="composer-input"
            id={thread === undefined ? 'composer' : 'thread-composer'}
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
            onFocus={composer.onFocus}
            onBlur={composer.onBlur}
            onPaste={composer.onPaste}
          />
          {Mark && <Mark field={field} text={text} limit={limit} />}
          <ComposerBar
            place={place}
            text={text}
            canSend={composer.canSend}
            insert={edits.insert}
            send={composer.sendNow}
            sendLater={composer.sendLater}
            focus={() => field.current?.focus()}
          />
        </div>
        <div class="composer-foot">
          {composer.isTooLong ? (
            <>
              <span class="error" role="alert">
                {strings.composer.tooLong(text.length, limit)}
              </span>
              {takesText() && (
                <button type="button" class="button-link" onClick={composer.toFile}>
                  {strings.composer.asFile}
                </button>
              )}
            </>
          ) : (
            thread === undefined && <TypingLine names={channel.typing.value} />
          )}
        </div>
      </div>
    </div>
  )
}
