import { useRef, useState } from 'preact/hooks'
import type { PersonStatus } from '#shared/domain/payloads/people.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { emojiOf } from '../../common/emoji.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { clearStatus, setStatus } from '../../net/people/own-status.ts'
import { statusOf } from '../../store/people/people.ts'
import { me, viewer } from '../../store/store.ts'
import { endOfDate, endOfDay } from '../../store/time/day-end.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { emojiPicker } from '../channel/open-emoji-picker.ts'
import { isStatusOpen } from './open-status.ts'
import './StatusDialog.css'

const LONGEST = 100

/** `kept`: the end that the present status has. */
type Until = 'half' | 'hour' | 'today' | 'date' | 'never' | 'kept'

const PRESETS = [
  { id: 'meeting', emoji: '📅', until: 'hour' },
  { id: 'lunch', emoji: '🍲', until: 'half' },
  { id: 'sick', emoji: '🤒', until: 'today' },
  { id: 'away', emoji: '🌴', until: 'date' },
] as const

interface Draft {
  emoji: string | null
  text: string
  until: Until
  date: string
  quiet: boolean
}

interface Part {
  draft: Draft
  change: (change: Partial<Draft>) => void
}

/** Emoji, words, the end, and whether notifications pause. */
export function StatusDialog() {
  const [before] = useState(statusOf(viewer))
  const [draft, setDraft] = useState<Draft>(() => draftOf(before))
  const texts = strings.ownStatus
  const until = () => (draft.until === 'kept' ? before!.until : endOf(draft.until, draft.date))
  const text = draft.text.trim() || null

  const form = useSubmit({
    check() {
      if (!draft.emoji && !text) return texts.needed
      const end = until()
      return end !== null && !(end * 1_000 > Date.now()) ? texts.dateNeeded : undefined
    },
    send: () => setStatus({ emoji: draft.emoji, text, until: until(), quiet: draft.quiet }),
    whyNot: () => texts.notSaved,
    done: close,
  })
  const change = (patch: Partial<Draft>) => {
    setDraft({ ...draft, ...patch })
    form.clear()
  }
  const buttons = (
    <>
      <label class="status-dialog-quiet">
        <input
          type="checkbox"
          checked={draft.quiet}
          onChange={event => change({ quiet: event.currentTarget.checked })}
        />
        {texts.quiet}
      </label>
      {before && (
        <button type="button" class="button" onClick={() => void form.submit(clearStatus)}>
          {texts.clear}
        </button>
      )}
    </>
  )

  return (
    <FormDialog title={texts.title} close={close} form={form} label={texts.save} beside={buttons}>
      <Words draft={draft} change={change} />
      <Ends draft={draft} change={change} keptUntil={before?.until ?? undefined} />
      <Presets draft={draft} change={change} />
    </FormDialog>
  )
}

function draftOf(status: PersonStatus | undefined): Draft {
  const { emoji = null, text = null, until = null, quiet = false } = status ?? {}
  return { emoji, text: text ?? '', until: until ? 'kept' : status ? 'never' : 'today', date: '', quiet }
}

function Words({ draft: { emoji, text }, change }: Part) {
  const texts = strings.ownStatus
  const [isPicking, setPicking] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const Picker = isPicking ? emojiPicker.get('EmojiPicker') : undefined
  const closePicker = () => {
    field.current?.focus()
    setPicking(false)
  }
  return (
    <>
      <div class="input status-dialog-field">
        <button
          type="button"
          class="icon-button"
          aria-label={texts.emoji}
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        >
          {emoji ? <span class="emoji">{emojiOf(emoji)}</span> : <Icon name="smile" />}
        </button>
        <input
          ref={field}
          value={text}
          maxLength={LONGEST}
          aria-label={texts.text}
          placeholder={texts.placeholder}
          autocomplete="off"
          autofocus
          onInput={event => change({ text: event.currentTarget.value })}
        />
        {(emoji || text) && (
          <IconButton
            icon="x"
            size={28}
            label={texts.empty}
            onClick={() => {
              change({ emoji: null, text: '' })
              field.current?.focus()
            }}
          />
        )}
      </div>
      {Picker && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the picker, not the dialog
        <div
          class="status-dialog-picker"
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            closePicker()
          }}
        >
          <Picker
            offer="status"
            onPick={picked => {
              change({ emoji: picked })
              closePicker()
            }}
          />
        </div>
      )}
    </>
  )
}

const ENDS = ['half', 'hour', 'today', 'date', 'never'] as const

function Ends({ draft, change, keptUntil }: Part & { keptUntil: Seconds | undefined }) {
  const texts = strings.ownStatus
  return (
    <fieldset class="status-dialog-until">
      <legend>{texts.until}</legend>
      {(keptUntil === undefined ? ENDS : (['kept', ...ENDS] as const)).map(one => (
        <label key={one} class={draft.until === one ? 'status-dialog-choice is-on' : 'status-dialog-choice'}>
          <input
            type="radio"
            name="status-until"
            class="visually-hidden"
            checked={draft.until === one}
            onChange={() => change({ until: one })}
          />
          {one === 'kept' ? texts.kept(keptUntil!) : texts.ends[one]}
        </label>
      ))}
      {draft.until === 'date' && (
        <input
          type="date"
          class="status-dialog-date"
          aria-label={texts.ends.date}
          value={draft.date}
          onInput={event => change({ date: event.currentTarget.value })}
        />
      )}
    </fieldset>
  )
}

function Presets({ change }: Part) {
  const texts = strings.ownStatus
  return (
    <div class="status-dialog-presets" role="group" aria-label={texts.often}>
      <div class="popover-title" aria-hidden="true">
        {texts.often}
      </div>
      {PRESETS.map(({ id, emoji, until }) => (
        <button
          type="button"
          key={id}
          class="option"
          onClick={() => change({ emoji, until, text: texts.presets[id] })}
        >
          <span class="emoji">{emoji}</span>
          <span>{texts.presets[id]}</span>
          <span class="grow" />
          <span class="option-detail">{texts.ends[until]}</span>
        </button>
      ))}
    </div>
  )
}

const HOUR: Seconds = 3_600

/** null: without an end. NaN: no date is chosen. */
function endOf(until: Exclude<Until, 'kept'>, date: string): Seconds | null {
  const now = Date.now() / 1_000
  const timezone = me.peek()?.timezone ?? undefined
  switch (until) {
    case 'half':
      return now + HOUR / 2
    case 'hour':
      return now + HOUR
    case 'today':
      return endOfDay(new Date(), timezone)
    case 'date':
      return date === '' ? Number.NaN : endOfDate(date, timezone)
    case 'never':
      return null
  }
}

const close = () => {
  isStatusOpen.value = false
}
