import { useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { DialogHead } from '../../common/DialogHead.tsx'
import { PeopleSearch } from '../../common/PeopleSearch.tsx'
import { strings } from '../../i18n/i18n.ts'
import { invite } from '../../net/requests/call-endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { othersIn } from '../../store/channels/names.ts'
import { matchingPeople } from '../../store/messages/selectors.ts'
import { displayNameOf, isBot } from '../../store/people/people.ts'
import { people, viewer } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { showToast } from '../../ui/feedback.ts'
import type { Call } from './call.ts'
import { deviceTrouble } from './device-trouble.ts'
import { dialog, ongoing } from './state.ts'

/** The dialogs of calls. */
export function CallDialogs() {
  const call = ongoing.value
  if (dialog.value === 'trouble') return <TroubleDialog />
  if (dialog.value === 'end for all' && call) return <EndForAllDialog call={call} />
  if (dialog.value === 'add people' && call) return <AddPeopleDialog call={call} />
  return null
}

function close() {
  dialog.value = undefined
}

function TroubleDialog() {
  if (!deviceTrouble) return null
  const { device, trouble: what, retry, without } = deviceTrouble
  const run = (next: () => void) => () => {
    close()
    next()
  }
  return (
    <Dialog label={strings.calls.trouble.title[device]} onClose={close} narrow>
      <h2 class="dialog-title">{strings.calls.trouble.title[device]}</h2>
      <p class="dialog-text">{strings.calls.trouble[what][device]}</p>
      <div class="dialog-foot">
        {without && device === 'microphone' && (
          <button type="button" class="button button-quiet" onClick={run(without)}>
            {strings.calls.goOnWithout}
          </button>
        )}
        {what === 'insecure' ? (
          <>
            <button type="button" class="button button-quiet" onClick={close}>
              {strings.close}
            </button>
            <a class="button button-primary" href="/trust" target="_blank" rel="noopener">
              {strings.calls.whatToDo}
            </a>
          </>
        ) : retry ? (
          <button type="button" class="button button-primary" onClick={run(retry)}>
            {strings.tryAgain}
          </button>
        ) : (
          <button type="button" class="button" onClick={close}>
            {strings.close}
          </button>
        )}
      </div>
    </Dialog>
  )
}

/** Leaving is the usual wish, so it comes first and has the focus. */
function EndForAllDialog({ call }: { call: Call }) {
  return (
    <Dialog label={strings.calls.endTitle} onClose={close} narrow>
      <h2 class="dialog-title">{strings.calls.endTitle}</h2>
      <p class="dialog-text">{strings.calls.endMore(call.size.value)}</p>
      <div class="dialog-foot">
        <button type="button" class="button button-primary" onClick={() => call.hangUp('leave')}>
          {strings.calls.leave}
        </button>
        <button type="button" class="button button-danger-text" onClick={() => call.hangUp('end')}>
          {strings.calls.endForAll}
        </button>
        <button type="button" class="button button-quiet" onClick={close}>
          {strings.cancel}
        </button>
      </div>
    </Dialog>
  )
}

const SHOWN = 50

function AddPeopleDialog({ call }: { call: Call }) {
  const [typed, setTyped] = useState('')
  const near = [...othersIn(call.channel), ...channelOf(call.channel).members.value]
  const found = matchingPeople(typed, people.value, near, displayNameOf)
    .filter(name => name !== viewer && !isBot(name) && !call.shown.value.includes(name))
    .slice(0, SHOWN)
  const add = (name: Username) => {
    close()
    void ask(call, name)
  }
  return (
    <Dialog label={strings.calls.addPeople} onClose={close}>
      <DialogHead title={strings.calls.addPeople} close={close} />
      <PeopleSearch
        label={strings.calls.addPeople}
        placeholder={strings.newDm.placeholder}
        typed={typed}
        onType={setTyped}
        found={found}
        pick={add}
        autofocus
      />
      {found.length === 0 && <p class="hint">{typed ? strings.newDm.nobody : strings.calls.everybodyIn}</p>}
    </Dialog>
  )
}

async function ask(call: Call, name: Username) {
  try {
    await invite(call.id.peek()!, name)
    showToast(strings.calls.added(name), { icon: 'phone' })
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.calls.notAdded(name), { icon: 'alert' })
  }
}
