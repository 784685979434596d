import { useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { PeopleField } from '../../common/PeopleField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { peopleOfChannel } from '../../net/channels/channel-members.ts'
import { addPeople } from '../../net/channels/public-channels.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { personOf } from '../../store/people/people.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { growingChannel } from './open-details.ts'

/** People for a public channel. Guests are added by managers alone, and read everything that is there. */
export function AddPeopleDialog() {
  const [{ channel, name, may }] = useState(growingChannel.peek()!)
  const [people, setPeople] = useState<Username[]>([])
  const [busy, setBusy] = useState(false)
  const texts = strings.details
  const hasGuest = people.some(one => personOf(one)?.role === 'guest')
  const add = async () => {
    if (busy || people.length === 0) return
    setBusy(true)
    const there = new Set(await peopleOfChannel(channel).catch(noNames))
    const others = people.filter(one => !there.has(one))
    if (others.length > 0) await addPeople(channel, others)
    close()
  }
  return (
    <Dialog label={texts.addTo(name ?? channel)} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{texts.addTo(name ?? channel)}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      <PeopleField
        label={strings.browse.addPeople}
        chosen={people}
        onChange={setPeople}
        onDone={() => void add()}
        autofocus
      />
      {hasGuest && (
        <p class="hint" role="status">
          {may.includes('manage') ? texts.guestsRead : texts.guestsByManagers}
        </p>
      )}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button button-primary"
          aria-disabled={busy || people.length === 0}
          onClick={() => void add()}
        >
          {texts.add}
        </button>
      </div>
    </Dialog>
  )
}

function noNames(error: unknown): Username[] {
  tolerateFailure(error)
  return []
}

const close = () => {
  growingChannel.value = undefined
}
