import { useState } from 'preact/hooks'
import type { IncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { newHookSecret } from '../../net/requests/hooks.ts'
import { Field } from '../../ui/Field.tsx'

/** Beyond the longest secret: one that is too long is refused, not cut. */
const LONGEST = 1_000

interface Props {
  hook: IncomingHookPayload
  close: () => void
  /** With a secret that was made here; undefined for that of the program. */
  saved: (made: string | undefined) => void
}

/** A signing secret: a new one, or that of the program which signs. */
export function SignSecretDialog({ hook: { id, name }, close, saved }: Props) {
  const [own, setOwn] = useState('')
  const texts = strings.hooks
  const form = useSubmit({
    async send() {
      const given = own.trim() || undefined
      const { secret } = await newHookSecret(id, given)
      saved(given === undefined ? secret : undefined)
    },
    whyNot: ({ status }) =>
      status === 400 ? { field: 'secret', sentence: texts.badSecret } : { sentence: texts.notSaved },
  })
  return (
    <FormDialog title={texts.secretOf(name)} close={close} form={form} label={texts.secret}>
      <p class="dialog-text">{texts.secretMore}</p>
      <Field
        name="secret"
        label={texts.ownSecret}
        hint={texts.ownSecretHint}
        value={own}
        maxLength={LONGEST}
        problem={form.problemOf('secret')}
        set={value => {
          setOwn(value)
          form.clear('secret')
        }}
      />
    </FormDialog>
  )
}
