import { useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { isPhone } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { addFiles } from './attachments.ts'
import { emojiOf } from './emoji.ts'
import { FORMATS } from './formats.ts'
import { openEmojiPicker } from './message-actions.tsx'

interface Props {
  channel: Channel
  text: string
  canSend: boolean
  insert: (piece: string) => void
  /** Puts marks around the selection, or removes them. */
  format: (mark: string) => void
  send: () => void
  focus: () => void
}

/** The buttons below the text. */
export function ComposerBar({ channel, text, canSend, insert, format, send, focus }: Props) {
  const [isFormatting, setFormatting] = useState(false)
  return (
    <div class="composer-bar">
      <AddFiles channel={channel} focus={focus} />
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
        aria-pressed={isFormatting}
        onClick={() => setFormatting(!isFormatting)}
      />
      {isFormatting && <Formats format={format} />}
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
        class={canSend ? 'composer-send is-on' : 'composer-send'}
        aria-label={strings.composer.send}
        title={strings.composer.send}
        aria-disabled={!canSend}
        // The focus stays in the text.
        onMouseDown={event => event.preventDefault()}
        onClick={send}
      >
        <Icon name="send" />
      </button>
    </div>
  )
}

function AddFiles({ channel, focus }: Pick<Props, 'channel' | 'focus'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={strings.composer.addFiles}
        onChange={event => {
          addFiles(channel, [...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
          focus()
        }}
      />
      <IconButton icon="plus" label={strings.composer.addFiles} onClick={() => input.current?.click()} />
    </>
  )
}

function Formats({ format }: Pick<Props, 'format'>) {
  return (
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
  )
}
