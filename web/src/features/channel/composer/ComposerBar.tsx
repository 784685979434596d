import { useRef } from 'preact/hooks'
import { endsInFence } from '#shared/domain/text-blocks.ts'
import { strings } from '../../../i18n/i18n.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { isMac, isPhone } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { closePopover } from '../../../ui/Popover.tsx'
import { laterPart } from '../../later/open-later.ts'
import { composerParts } from './composer-part.ts'
import { FormattingSwitch } from './FormattingSwitch.tsx'
import { addFiles } from './offer-files.ts'

interface Props {
  /** The key of the draft. */
  place: string
  text: string
  canSend: boolean
  /** Leaves the focus where it is if `focus` is false. */
  insert: (piece: string, focus?: boolean) => void
  send: () => void
  sendLater: ((anchor: HTMLElement) => void) | undefined
  focus: () => void
}

/** The buttons below the text. */
export function ComposerBar({ place, text, canSend, insert, send, sendLater, focus }: Props) {
  const Later = canSend ? laterPart.get('SendLaterButton') : undefined
  return (
    <div class="composer-bar">
      <AddFiles place={place} focus={focus} />
      <IconButton
        icon="smile"
        label={strings.composer.emoji}
        onClick={({ currentTarget: button }) =>
          composerParts.use(module =>
            module.openEmojiPicker(button, (emoji, keepOpen) => {
              if (!keepOpen) closePopover(false)
              insert(emoji, !keepOpen)
            }),
          )
        }
      />
      <IconButton
        icon="at"
        label={strings.composer.mention}
        onClick={() => insert(/\S$/.test(text) ? ' @' : '@')}
      />
      <FormattingSwitch />
      <span class="grow" />
      {text !== '' && !isPhone.value && <KeyHint text={text} />}
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
      {Later && sendLater && <Later open={sendLater} />}
    </div>
  )
}

/** The key that is not obvious: for a new line, or for sending where Enter makes one. */
function KeyHint({ text }: { text: string }) {
  const sends = preferred.sendWith.value === 'enter' && !endsInFence(text)
  return (
    <span class="composer-hint" aria-hidden="true">
      <span class="key-caps">
        <kbd>{sends ? strings.keys.shift : isMac ? '⌘' : strings.keys.ctrl}</kbd>
        <kbd>{strings.keys.enter}</kbd>
      </span>
      {sends ? strings.composer.newLine : strings.composer.sends}
    </span>
  )
}

function AddFiles({ place, focus }: Pick<Props, 'place' | 'focus'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={strings.composer.addFiles}
        onChange={event => {
          addFiles(place, [...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
          focus()
        }}
      />
      <IconButton icon="plus" label={strings.composer.addFiles} onClick={() => input.current?.click()} />
    </>
  )
}
