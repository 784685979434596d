import { useId, useState } from 'preact/hooks'
import type { CommandPayload, MadeCommandPayload } from '#shared/domain/payloads/commands.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { bots } from '../../net/requests/bots.ts'
import { changeCommand, makeCommand } from '../../net/requests/commands.ts'
import type { Failure } from '../../net/requests/failure.ts'
import { displayed } from '../../store/people/people.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { confirmed } from './open-confirmed.ts'
import { useList } from './use-list.ts'

const LONGEST = { name: 32, url: 2_048, usage: 80, description: 200 }

interface Props {
  /** Undefined for a new one. */
  command: CommandPayload | undefined
  close: () => void
  /** The list is not what it was: somebody else removed this one. */
  changed: () => void
  saved: (made?: MadeCommandPayload) => void
}

/** Name, address and words of a command. The password is asked for where the server requires it. */
export function CommandDialog({ command, close, changed, saved }: Props) {
  const [values, setValues] = useState({
    name: command?.name ?? '',
    url: command?.url ?? '',
    usage: command?.usage ?? '',
    description: command?.description ?? '',
  })
  const [bot, setBot] = useState(command?.bot)
  const { items: known } = useList([], bots)
  const active = known?.filter(one => one.active).sort((a, b) => Number(a.of_hook) - Number(b.of_hook))
  const chosen = bot ?? active?.[0]?.username
  const attempt = useClientId()
  const id = useId()
  const texts = strings.ownCommands
  const name = values.name.trim().replace(/^\//, '').toLowerCase()
  const url = values.url.trim()
  const form = useSubmit({
    check: () => faultOf(name, url) ?? (chosen === undefined ? texts.needsBot : undefined),
    async send() {
      const words = {
        url,
        bot: chosen!,
        usage: values.usage.trim() || null,
        description: values.description.trim() || null,
      }
      if (command) {
        if (!(await confirmed(() => changeCommand(command.name, words)))) return false
        saved()
      } else {
        const draft = { ...words, name }
        const made = await confirmed(() => makeCommand({ ...draft, client_id: attempt.idOf(draft) }))
        if (!made) return false
        saved(made)
      }
      return undefined
    },
    whyNot(failure) {
      if (failure.status === 404) changed()
      return problemOf(failure, command)
    },
  })
  const fieldFor = (field: keyof typeof values, label: string, hint: string) => (
    <Field
      name={field}
      label={label}
      hint={hint}
      value={values[field]}
      maxLength={LONGEST[field]}
      problem={form.problemOf(field)}
      set={value => {
        setValues(before => ({ ...before, [field]: value }))
        form.clear(field)
      }}
    />
  )
  return (
    <FormDialog
      title={command ? strings.hooks.editOf(`/${command.name}`) : texts.make}
      close={close}
      form={form}
      label={command ? strings.save : texts.makeIt}
    >
      {!command && fieldFor('name', texts.name, texts.nameHint)}
      {fieldFor('url', strings.hooksOut.url, texts.urlHint)}
      <div class="field">
        <label for={`${id}-bot`}>{texts.bot}</label>
        <Select id={`${id}-bot`} value={chosen ?? ''} aria-describedby={`${id}-bot-hint`} choose={setBot}>
          {active?.map(one => (
            <option key={one.username} value={one.username}>
              {displayed(one.username)}
            </option>
          ))}
        </Select>
        <span class="hint" id={`${id}-bot-hint`}>
          {active?.length === 0 ? texts.needsBot : texts.botHint}
        </span>
      </div>
      {fieldFor('usage', texts.usage, texts.usageHint)}
      {fieldFor('description', texts.description, texts.descriptionHint)}
    </FormDialog>
  )
}

function faultOf(name: string, url: string): Problem | undefined {
  if (!/^[a-z0-9_-]{1,32}$/.test(name)) return { field: 'name', sentence: strings.ownCommands.badName }
  return /^https?:\/\/[^/]/i.test(url) ? undefined : { field: 'url', sentence: strings.hooksOut.badUrl }
}

function problemOf({ status, message }: Failure, command: CommandPayload | undefined): Problem {
  const texts = strings.ownCommands
  if (status === 409)
    return message.includes('200')
      ? { sentence: texts.tooMany }
      : { field: 'name', sentence: texts.nameTaken }
  if (message.startsWith('url')) return { field: 'url', sentence: strings.hooksOut.badUrl }
  if (message.startsWith('bot')) return { sentence: texts.badBot }
  for (const field of ['name', 'usage', 'description'])
    if (message.startsWith(field)) return { field, sentence: texts.badLine }
  return {
    sentence:
      command && status === 404 ? strings.administration.isRemoved(`/${command.name}`) : texts.notSaved,
  }
}
