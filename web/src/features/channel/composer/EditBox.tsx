import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { composerField } from '../../../common/composer-field.ts'
import { strings } from '../../../i18n/i18n.ts'
import { editMessage } from '../../../net/messages/message-mutations.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { config, isPhone, workspace } from '../../../store/store.ts'
import { boxWanted, closeBox, keepEdit, unsavedEdit } from '../../../store/writing/edits.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { askToDelete } from '../message-actions.tsx'
import { fitHeight } from './autosize.ts'
import { FormattingBar } from './FormattingBar.tsx'
import { FormattingSwitch } from './FormattingSwitch.tsx'
import { hasContent } from './has-content.ts'
import { TooLongMark } from './TooLongMark.tsx'
import { onPasteText, onWritingKey } from './writing-keys.ts'
import './EditBox.css'

interface Props {
  channel: Channel
  row: MessagePayload
}

/** Edits a message in place, in a box like the composer's. Saving an empty text offers deletion. */
export function EditBox({ channel, row }: Props) {
  const [text, setText] = useState(unsavedEdit(row.id) ?? row.content ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const limit = config.value.max_message_chars
  const tooLong = text.length > limit

  const wanted = boxWanted.value === row.id
  useLayoutEffect(() => fitHeight(field.current!), [])
  useLayoutEffect(() => {
    if (!wanted) return
    boxWanted.value = undefined
    const area = field.current!
    area.focus()
    area.setSelectionRange(area.value.length, area.value.length)
  }, [wanted])

  const leave = () => {
    closeBox(channel)
    if (!isPhone.peek()) composerField()?.focus()
  }
  const save = () => {
    const trimmed = hasContent(text) ? text.trim() : ''
    if (tooLong) return
    leave()
    if (trimmed === '') askToDelete(row)
    else if (trimmed !== row.content) void editMessage(row, trimmed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      leave()
    } else if (onWritingKey(event, field.current!) === 'send') save()
  }

  return (
    <div class="composer edit-box">
      <div class="composer-context">
        <Icon name="pencil" size={16} />
        <span>{strings.composer.editing}</span>
      </div>
      {preferred.showFormatting.value && <FormattingBar field={field} />}
      <textarea
        ref={field}
        class="composer-input"
        rows={1}
        dir="auto"
        aria-label={strings.composer.editLabel}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value)
          keepEdit(row.id, event.currentTarget.value)
          fitHeight(event.currentTarget)
        }}
        onKeyDown={onKeyDown}
        onPaste={event => onPasteText(event, event.currentTarget)}
      />
      {tooLong && <TooLongMark field={field} text={text} limit={limit} />}
      {workspace.value?.keep_edits && <p class="hint edit-box-hint">{strings.versions.hint}</p>}
      <div class="composer-bar">
        <FormattingSwitch />
        {tooLong && (
          <span class="error" role="alert">
            {strings.composer.tooLong(text.length, limit)}
          </span>
        )}
        <span class="grow" />
        <button type="button" class="button button-quiet" aria-keyshortcuts="Escape" onClick={leave}>
          {strings.cancel}
          <span class="key-caps" aria-hidden="true">
            <kbd>{strings.keys.esc}</kbd>
          </span>
        </button>
        <button type="button" class="button button-primary" aria-disabled={tooLong} onClick={save}>
          {strings.save}
        </button>
      </div>
    </div>
  )
}
