import { useEffect, useRef, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { OwnPrivateHint } from '../../common/OwnPrivateHint.tsx'
import { PeopleField } from '../../common/PeopleField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { createChannel } from '../../net/channels/own-private-channels.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

/** Characters (interface 4.7). */
export const LONGEST_NAME = 80

/** The name and the first members. */
export function CreateDialog({ close }: { close: () => void }) {
  const [name, setName] = useState('')
  const [members, setMembers] = useState<Username[]>([])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])

  const create = async () => {
    if (busy) return
    if (name.trim() === '') {
      setProblem(strings.privateDialog.nameNeeded)
      field.current?.focus()
      return
    }
    setBusy(true)
    try {
      await createChannel(name.trim(), members)
      close()
    } catch (error) {
      tolerateFailure(error)
      setProblem(strings.privateDialog.notMade(name.trim()))
      setBusy(false)
    }
  }

  return (
    <Dialog label={strings.privateDialog.title} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{strings.privateDialog.title}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      <div class="field">
        <label for="private-name">{strings.privateDialog.name}</label>
        <div class={problem ? 'input is-error' : 'input'}>
          <Icon name="lock" size={16} />
          <input
            ref={field}
            id="private-name"
            value={name}
            maxLength={LONGEST_NAME}
            placeholder={strings.privateDialog.namePlaceholder}
            autocomplete="off"
            aria-invalid={problem !== ''}
            aria-describedby={problem ? 'private-problem' : undefined}
            onInput={event => {
              setName(event.currentTarget.value)
              setProblem('')
            }}
            onKeyDown={event => {
              if (event.key === 'Enter' && !event.isComposing) void create()
            }}
          />
        </div>
        {problem && (
          <span class="error" id="private-problem" role="alert">
            <Icon name="alert" size={16} />
            {problem}
          </span>
        )}
        <span class="hint" role="status">
          <OwnPrivateHint name={name} close={close} />
        </span>
      </div>
      <div class="field">
        <span class="label" aria-hidden="true">
          {strings.privateDialog.people}
        </span>
        <PeopleField
          label={strings.privateDialog.people}
          chosen={members}
          onChange={setMembers}
          onDone={() => void create()}
        />
      </div>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button button-primary"
          aria-disabled={busy}
          onClick={() => void create()}
        >
          {strings.privateDialog.create}
        </button>
      </div>
    </Dialog>
  )
}
