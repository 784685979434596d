import { useId, useState } from 'preact/hooks'
import { EVENTS_FOR_ADMINS, OUTGOING_EVENTS } from '#shared/domain/outgoing-hooks.ts'
import type { MadeOutgoingHookPayload, OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Failure } from '../../net/requests/failure.ts'
import { changeOutgoingHook, makeOutgoingHook, type OutgoingHookDraft } from '../../net/requests/hooks-out.ts'
import { privateChannels, publicChannels } from '../../store/store.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { mayAdminister } from './admin-pages.ts'
import { ChannelChooser } from './ChannelChooser.tsx'
import { CheckBox } from './CheckBox.tsx'
import { confirmed } from './open-confirmed.ts'

const LONGEST = { name: 80, url: 2_048, triggers: 1_000 }

interface Props {
  /** Undefined for a new one. */
  hook: OutgoingHookPayload | undefined
  close: () => void
  /** The list is not what it was: somebody else removed this one. */
  changed: () => void
  saved: (name: string, made?: MadeOutgoingHookPayload) => void
}

const startOf = (hook: OutgoingHookPayload | undefined): OutgoingHookDraft => ({
  name: hook?.name ?? '',
  url: hook?.url ?? '',
  format: hook?.format ?? 'standard',
  events: hook?.events ?? ['message.created'],
  channels: hook?.channels ?? null,
  triggers: hook?.triggers ?? null,
  include_bots: hook?.include_bots ?? false,
})

/** Address, form, events and places of an outgoing hook. The password is asked for where the server requires it. */
export function OutgoingDialog({ hook, close, changed, saved }: Props) {
  const [draft, setDraft] = useState(() => startOf(hook))
  const [triggers, setTriggers] = useState(draft.triggers?.join(' ') ?? '')
  const attempt = useClientId()
  const texts = strings.hooksOut
  const set = (change: Partial<OutgoingHookDraft>) => setDraft(before => ({ ...before, ...change }))
  const form = useSubmit({
    check: () => faultOf(draft),
    async send() {
      const words = triggers.split(/\s+/).filter(Boolean)
      const whole = {
        ...draft,
        name: draft.name.trim(),
        url: draft.url.trim(),
        triggers: words.length > 0 ? words : null,
        events: draft.format === 'slack' ? ['message.created'] : draft.events,
      }
      if (hook) {
        const change = changesOf(hook, whole)
        const isKept = Object.keys(change).length === 0
        if (!isKept && !(await confirmed(() => changeOutgoingHook(hook.id, change)))) return false
        saved(whole.name)
      } else {
        const made = await confirmed(() => makeOutgoingHook({ ...whole, client_id: attempt.idOf(whole) }))
        if (!made) return false
        saved(whole.name, made)
      }
      return undefined
    },
    whyNot(failure) {
      if (failure.status === 404) changed()
      return problemOf(failure, hook)
    },
  })
  return (
    <FormDialog
      title={hook ? strings.hooks.editOf(hook.name) : texts.make}
      close={close}
      form={form}
      label={hook ? strings.save : strings.hooks.makeIt}
    >
      <Field
        name="name"
        label={strings.hooks.name}
        value={draft.name}
        maxLength={LONGEST.name}
        problem={form.problemOf('name')}
        set={name => {
          set({ name })
          form.clear('name')
        }}
      />
      <Field
        name="url"
        label={texts.url}
        hint={texts.urlHint}
        value={draft.url}
        maxLength={LONGEST.url}
        problem={form.problemOf('url')}
        set={url => {
          set({ url })
          form.clear('url')
        }}
      />
      <Format draft={draft} set={set} />
      {draft.format === 'standard' && <Events draft={draft} set={set} />}
      <Places draft={draft} set={set} offered={hook && readableChannels(hook)} />
      <Field
        name="triggers"
        label={texts.triggers}
        hint={texts.triggersHint}
        value={triggers}
        maxLength={LONGEST.triggers}
        problem={form.problemOf('triggers')}
        set={value => {
          setTriggers(value)
          form.clear('triggers')
        }}
      />
      <CheckBox
        label={texts.includeBots}
        checked={draft.include_bots}
        set={include_bots => set({ include_bots })}
      />
    </FormDialog>
  )
}

interface PartProps {
  draft: OutgoingHookDraft
  set: (change: Partial<OutgoingHookDraft>) => void
}

function Format({ draft, set }: PartProps) {
  const id = useId()
  const texts = strings.hooksOut
  return (
    <div class="field">
      <label for={id}>{texts.format}</label>
      <Select
        id={id}
        value={draft.format}
        choose={format => set({ format: format as OutgoingHookDraft['format'] })}
      >
        <option value="standard">{texts.formats.standard}</option>
        <option value="slack">{texts.formats.slack}</option>
      </Select>
    </div>
  )
}

function Events({ draft: { events }, set }: PartProps) {
  const texts = strings.hooksOut
  const offered = OUTGOING_EVENTS.filter(
    one => mayAdminister() || !EVENTS_FOR_ADMINS.includes(one) || events.includes(one),
  )
  return (
    <fieldset class="channel-chooser">
      <legend class="label">{texts.events}</legend>
      <div class="channel-chooser-list is-whole">
        {offered.map(event => (
          <label key={event}>
            <input
              type="checkbox"
              checked={events.includes(event)}
              onChange={({ currentTarget: { checked } }) =>
                set({
                  events: OUTGOING_EVENTS.filter(one => (one === event ? checked : events.includes(one))),
                })
              }
            />
            {texts.eventNames[event]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** `offered`: channels; undefined for the public ones, which a new bot reads. */
function Places({ draft: { channels }, set, offered }: PartProps & { offered: ChannelId[] | undefined }) {
  const texts = strings.hooksOut
  return (
    <>
      <CheckBox
        label={texts.everywhere}
        hint={texts.everywhereHint}
        checked={channels === null}
        set={isAll => set({ channels: isAll ? null : [] })}
      />
      {channels !== null && (
        <ChannelChooser
          legend={texts.channels}
          chosen={channels}
          offered={offered}
          onChange={(chosen: ChannelId[]) => set({ channels: chosen })}
        />
      )}
    </>
  )
}

/** The viewer's, and those of the hook. */
function readableChannels({ channels }: OutgoingHookPayload): ChannelId[] {
  const own = privateChannels.value.map(one => one.channel)
  return [...new Set([...publicChannels.value, ...own, ...(channels ?? [])])]
}

/** The fields that differ; another person may have changed others meanwhile. */
function changesOf(hook: OutgoingHookPayload, draft: OutgoingHookDraft): Partial<OutgoingHookDraft> {
  const fields = Object.entries(draft) as [keyof OutgoingHookDraft, unknown][]
  const changed = fields.filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(hook[field]))
  return Object.fromEntries(changed) as Partial<OutgoingHookDraft>
}

function faultOf({ name, url, format, events, channels }: OutgoingHookDraft): Problem | undefined {
  const texts = strings.hooksOut
  if (name.trim() === '') return { field: 'name', sentence: strings.hooks.nameIt }
  if (!/^https?:\/\/[^/]/i.test(url.trim())) return { field: 'url', sentence: texts.badUrl }
  if (format === 'standard' && events.length === 0) return { sentence: texts.chooseEvents }
  return channels?.length === 0 ? { sentence: texts.chooseChannels } : undefined
}

function problemOf({ code, status, message }: Failure, hook: OutgoingHookPayload | undefined): Problem {
  const texts = strings.hooksOut
  if (status === 409) return { sentence: texts.tooMany }
  if (code === 'forbidden') return { sentence: texts.notAllowed }
  if (message.startsWith('url')) return { field: 'url', sentence: texts.badUrl }
  if (message.startsWith('triggers')) return { field: 'triggers', sentence: texts.badTriggers }
  if (message.startsWith('channels')) return { sentence: texts.badChannels }
  if (message.startsWith('name')) return { field: 'name', sentence: strings.hooks.badName }
  return {
    sentence: hook && status === 404 ? strings.administration.isRemoved(hook.name) : strings.hooks.notSaved,
  }
}
