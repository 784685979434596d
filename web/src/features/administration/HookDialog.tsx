import { useId, useState } from 'preact/hooks'
import type { IncomingHookPayload, MadeIncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Failure } from '../../net/requests/failure.ts'
import { changeIncomingHook, makeIncomingHook } from '../../net/requests/hooks.ts'
import { nameOf } from '../../store/channels/names.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { mayAdminister } from './admin-pages.ts'
import { CheckBox } from './CheckBox.tsx'
import { hookChannels } from './managed-channels.ts'
import { TextArea } from './TextArea.tsx'

const LONGEST = { name: 80, template: 2_000 }

interface Props {
  /** Undefined for a new one. */
  hook: IncomingHookPayload | undefined
  /** The channel of a new one; undefined: it is chosen. */
  channel: ChannelId | undefined
  close: () => void
  saved: (name: string, made?: MadeIncomingHookPayload) => void
}

/** Name, channel, template and rights of a hook. */
export function HookDialog({ hook, channel: fixed, close, saved }: Props) {
  const [name, setName] = useState(hook?.name ?? '')
  const [channel, setChannel] = useState(hook?.channel ?? fixed ?? hookChannels()[0] ?? '')
  const [template, setTemplate] = useState(hook?.template ?? '')
  const [mayChoose, setMayChoose] = useState(hook?.may_choose_channel ?? false)
  const [mayTell, setMayTell] = useState(hook?.may_mention_everyone ?? false)
  const attempt = useClientId()
  const id = useId()
  const texts = strings.hooks
  const form = useSubmit({
    check: () => (name.trim() === '' ? { field: 'name', sentence: texts.nameIt } : undefined),
    async send() {
      const rights = mayAdminister() && { may_choose_channel: mayChoose, may_mention_everyone: mayTell }
      const draft = { name: name.trim(), channel, template: template.trim() || null, ...rights }
      if (hook) {
        await changeIncomingHook(hook.id, draft)
        saved(draft.name)
      } else saved(draft.name, await makeIncomingHook({ ...draft, client_id: attempt.idOf(draft) }))
    },
    whyNot: problemOf,
  })
  return (
    <FormDialog
      title={hook ? texts.editOf(hook.name) : texts.make}
      close={close}
      form={form}
      label={hook ? strings.save : texts.makeIt}
    >
      <Field
        name="name"
        label={texts.name}
        hint={hook ? undefined : texts.nameHint}
        value={name}
        maxLength={LONGEST.name}
        problem={form.problemOf('name')}
        set={value => {
          setName(value)
          form.clear('name')
        }}
      />
      {fixed === undefined && (
        <div class="field">
          <label for={`${id}-channel`}>{texts.channel}</label>
          <Select id={`${id}-channel`} value={channel} choose={setChannel}>
            {hookChannels(channel).map(one => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </Select>
        </div>
      )}
      <details class="integrations-more" open={template !== '' || mayChoose || mayTell}>
        <summary>{texts.advanced}</summary>
        <TextArea
          name="template"
          label={texts.template}
          hint={texts.templateHint}
          value={template}
          rows={4}
          maxLength={LONGEST.template}
          isCode
          problem={form.problemOf('template')}
          set={value => {
            setTemplate(value)
            form.clear('template')
          }}
        />
        {mayAdminister() && (
          <>
            <CheckBox
              label={texts.mayChoose}
              hint={texts.mayChooseHint}
              checked={mayChoose}
              set={setMayChoose}
            />
            <CheckBox label={texts.mayTell} hint={texts.mayTellHint} checked={mayTell} set={setMayTell} />
          </>
        )}
      </details>
    </FormDialog>
  )
}

function problemOf({ code, status, message }: Failure): Problem {
  const texts = strings.hooks
  if (status === 409) return { sentence: texts.tooMany }
  if (code === 'forbidden' || status === 404) return { sentence: texts.notAllowed }
  if (message.startsWith('template')) return { field: 'template', sentence: texts.badTemplate }
  return status === 400 ? { field: 'name', sentence: texts.badName } : { sentence: texts.notSaved }
}
