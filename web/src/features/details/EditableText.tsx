import { useId, useRef, useState } from 'preact/hooks'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { changeText } from '../../net/channels/change-channel.ts'

interface Props {
  info: ChannelInfoPayload
  field: 'topic' | 'description'
  label: string
  /** Shown in place of an empty text. */
  none: string
  longest: number
  mayEdit: boolean
}

/** Topic or description of a channel, edited in place: Ctrl+Enter and the button save, Escape discards. */
export function EditableText({ info, field, label, none, longest, mayEdit }: Props) {
  const [text, setText] = useState<string | undefined>(undefined)
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const shown = info[field]
  if (!mayEdit && shown === null) return null
  const end = (saved: string | undefined) => {
    setText(undefined)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('.details-edit')?.focus())
    if (saved !== undefined) void changeText(info, field, saved)
  }
  return (
    <section class="details-part" ref={box} aria-labelledby={id}>
      <div class="details-part-head">
        <h3 id={id}>{label}</h3>
        {mayEdit && text === undefined && (
          <button
            type="button"
            class="details-edit"
            aria-label={strings.details.editNamed(label)}
            onClick={() => setText(shown ?? '')}
          >
            {strings.details.edit}
          </button>
        )}
      </div>
      {text === undefined ? (
        <div class="details-text" dir="auto">
          {shown ?? <span class="hint">{none}</span>}
        </div>
      ) : (
        <>
          <textarea
            class="details-field"
            rows={field === 'topic' ? 2 : 5}
            aria-labelledby={id}
            value={text}
            maxLength={longest}
            ref={focusOnce}
            onInput={event => {
              const { value } = event.currentTarget
              setText(field === 'topic' ? value.replace(/\n/g, ' ') : value)
            }}
            onKeyDown={event => {
              const isSaved = event.key === 'Enter' && (event.ctrlKey || event.metaKey || field === 'topic')
              if (event.isComposing || !(isSaved || event.key === 'Escape')) return
              event.preventDefault()
              event.stopPropagation()
              end(isSaved ? text : undefined)
            }}
          />
          <div class="details-buttons">
            <button type="button" class="button" onClick={() => end(undefined)}>
              {strings.cancel}
            </button>
            <button type="button" class="button button-primary" onClick={() => end(text)}>
              {strings.about.save}
            </button>
          </div>
        </>
      )}
    </section>
  )
}

function focusOnce(field: HTMLTextAreaElement | null) {
  if (field && document.activeElement !== field) field.focus()
}
