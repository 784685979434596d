import { useEffect, useState } from 'preact/hooks'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { PeopleField } from '../../common/PeopleField.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { peopleOfChannel } from '../../net/channels/channel-members.ts'
import { addMember } from '../../net/channels/own-private-channels.ts'
import { addPeople } from '../../net/channels/public-channels.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { isPrivate } from '../../store/channels/names.ts'
import { displayed, personOf } from '../../store/people/people.ts'
import { growingChannel } from './open-details.ts'

/**
 * People for a channel. Guests are added to a public one by managers alone, and read everything that is there. Members of
 * a private one see messages from then on.
 */
export function AddPeopleDialog() {
  const [{ channel, name, may }] = useState(growingChannel.peek()!)
  const [people, setPeople] = useState<Username[]>([])
  const there = usePeopleOf(channel)
  const texts = strings.details
  const hasGuest = people.some(one => personOf(one)?.role === 'guest')
  const form = useSubmit({
    send: () => {
      const others = people.filter(one => !there.includes(one))
      return isPrivate(channel) ? addMembers(channel, others) : addToPublic(channel, others)
    },
    done: close,
  })
  return (
    <FormDialog
      title={texts.addTo(name ?? channel)}
      close={close}
      form={form}
      label={texts.add}
      incomplete={people.length === 0}
    >
      <PeopleField
        label={strings.browse.addPeople}
        chosen={people}
        there={there}
        onChange={chosen => {
          setPeople(chosen)
          form.clear()
        }}
        onDone={() => void form.submit()}
        autofocus
      />
      {isPrivate(channel) ? (
        <p class="hint">{strings.privateDialog.addHint}</p>
      ) : (
        hasGuest && (
          <p class="hint" role="status">
            {may.includes('manage') ? texts.guestsRead : texts.guestsByManagers}
          </p>
        )
      )}
    </FormDialog>
  )
}

/** People who have joined; empty until loaded. People who join meanwhile are skipped by the server. */
function usePeopleOf(channel: ChannelId): Username[] {
  const [there, setThere] = useState<Username[]>([])
  useEffect(() => {
    peopleOfChannel(channel).then(setThere, tolerateFailure)
  }, [channel])
  return there
}

async function addToPublic(channel: ChannelId, people: Username[]) {
  if (people.length > 0) await addPeople(channel, people)
}

/** Returns the sentence for the first one who could not be added; those who are there already count as added. */
async function addMembers(channel: ChannelId, people: Username[]): Promise<string | undefined> {
  const texts = strings.privateDialog
  for (const one of people) {
    const outcome = await addMember(channel, one)
    if (outcome === 'unknown') return texts.unknownUser(one)
    if (outcome === 'failed') return texts.notAdded(displayed(one))
  }
  return undefined
}

const close = () => {
  growingChannel.value = undefined
}
