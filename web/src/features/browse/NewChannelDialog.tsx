import { useState } from 'preact/hooks'
import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { Username } from '#shared/domain/units.ts'
import { composerField } from '../../common/composer-field.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { PeopleField } from '../../common/PeopleField.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { createChannel } from '../../net/channels/own-private-channels.ts'
import { createPublicChannel } from '../../net/channels/public-channels.ts'
import { channelInfo } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { people as allPeople, isMac, isPhone, panel } from '../../store/store.ts'
import { afterPaint } from '../../ui/after-paint.ts'
import { Field } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { NameHint, OpenTaken, sentenceOn } from './NameHint.tsx'
import { LONGEST_NAME, LONGEST_TOPIC, newChannel } from './open-browse.ts'
import { ReadOnlySwitch } from './ReadOnlySwitch.tsx'
import '../../ui/page.css'
import './browse.css'

/** Name, purpose, readers and first people of a new channel, public or private. */
export function NewChannelDialog() {
  const [name, setName] = useState(newChannel.peek()?.name ?? '')
  const [topic, setTopic] = useState('')
  const [isPrivate, setPrivate] = useState(newChannel.peek()?.isPrivate ?? false)
  const [readOnly, setReadOnly] = useState(false)
  const [people, setPeople] = useState<Username[]>([])
  /** The channel that has the name. */
  const [taken, setTaken] = useState<ChannelInfoPayload>()
  const attempt = useClientId()
  const wanted = name.trim()

  const create = async (invited: Username[]) => {
    if (isPrivate) return createChannel(wanted, invited, readOnly)
    const fields = { name: wanted, topic: topic.trim(), readOnly }
    await createPublicChannel({ id: attempt.idOf(fields), ...fields, people: invited })
  }
  const form = useSubmit({
    check: () => (wanted === '' ? { field: 'name', sentence: strings.privateDialog.nameNeeded } : undefined),
    send: () => create(people),
    async whyNot({ status }) {
      const holder = status === 409 ? await holderOf(wanted) : undefined
      setTaken(holder)
      if (status !== 409) return { field: 'name', sentence: strings.privateDialog.notMade(wanted) }
      return { field: 'name', sentence: holder?.archived ? sentenceOn(holder) : strings.browse.taken(wanted) }
    },
    done: leave,
  })
  const onCommandEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return
    event.preventDefault()
    if (wanted === '') void form.submit()
    else void form.submit(() => create([]))
  }

  return (
    <FormDialog
      title={strings.browse.create}
      close={close}
      form={form}
      label={strings.browse.make}
      onKeyDown={onCommandEnter}
    >
      <Field
        name="name"
        label={strings.privateDialog.name}
        icon={isPrivate ? 'lock' : 'hash'}
        value={name}
        maxLength={LONGEST_NAME}
        problem={form.problemOf('name')}
        set={text => {
          setName(text)
          setTaken(undefined)
          form.clear()
        }}
      >
        {taken && <OpenTaken info={taken} close={leave} />}
        {!form.problem && <NameHint name={name} isPrivate={isPrivate} close={leave} />}
      </Field>
      {!isPrivate && (
        <Field
          name="topic"
          label={strings.browse.topic}
          beside={strings.browse.optional}
          value={topic}
          maxLength={LONGEST_TOPIC}
          set={setTopic}
        />
      )}
      <Readers isPrivate={isPrivate} setPrivate={setPrivate} />
      <FirstPeople chosen={people} onChange={setPeople} onDone={() => void form.submit()} />
      <ReadOnlySwitch checked={readOnly} set={setReadOnly} />
    </FormDialog>
  )
}

interface FirstPeopleProps {
  chosen: Username[]
  onChange: (chosen: Username[]) => void
  onDone: () => void
}

function FirstPeople({ chosen, onChange, onDone }: FirstPeopleProps) {
  const texts = strings.browse
  return (
    <div class="new-channel-people">
      <span class="label" aria-hidden="true">
        {texts.addPeople} <span class="hint">{texts.optional}</span>
      </span>
      <PeopleField label={texts.addPeople} chosen={chosen} onChange={onChange} onDone={onDone} whenTyped />
      {chosen.length > 0 && !isPhone.value && (
        <p class="hint">{texts.addNobody(isMac ? '⌘' : strings.keys.ctrl)}</p>
      )}
    </div>
  )
}

/** The channel whose id a new one of this name would have; undefined if the viewer cannot read it. */
async function holderOf(name: string): Promise<ChannelInfoPayload | undefined> {
  try {
    return await channelInfo(channelIdFromName(name))
  } catch (error) {
    tolerateFailure(error)
    return undefined
  }
}

const close = () => {
  newChannel.value = undefined
}

/** For a channel that is there already. */
function leave() {
  panel.value = undefined
  close()
  // A composer under a page or a dialog could not take the focus when its channel opened.
  if (!isPhone.peek()) afterPaint(() => composerField()?.focus())
}

function Readers({ isPrivate, setPrivate }: { isPrivate: boolean; setPrivate: (on: boolean) => void }) {
  const texts = strings.browse
  const choices = [
    { on: false, icon: 'hash', name: texts.everyone, hint: texts.everyoneHint(allPeople.value.length) },
    { on: true, icon: 'lock', name: texts.private, hint: texts.privateHint },
  ]
  return (
    <fieldset class="browse-readers">
      <legend class="label">{texts.readers}</legend>
      {choices.map(({ on, icon, name, hint }) => (
        <label key={icon} class={on === isPrivate ? 'choice-card is-on' : 'choice-card'}>
          <input
            type="radio"
            name="readers"
            class="visually-hidden"
            checked={on === isPrivate}
            onChange={() => setPrivate(on)}
          />
          <Icon name={icon} size={16} />
          <span>
            <b>{name}</b>
            <span class="hint">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
