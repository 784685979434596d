import { useState } from 'preact/hooks'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { renameChannel } from '../../net/channels/own-private-channels.ts'
import { type ChannelChange, changeChannelInfo } from '../../net/requests/lazy-endpoints.ts'
import { iconOf } from '../../store/channels/names.ts'
import { Field } from '../../ui/Field.tsx'
import { editedChannel, LONGEST_NAME, LONGEST_TOPIC } from './open-browse.ts'
import { ReadOnlySwitch } from './ReadOnlySwitch.tsx'
import './browse.css'

const LONGEST_DESCRIPTION = 2_000

/** Name, topic, description and who may write, for managers. Other members of a private channel change its name only. */
export function ChannelDetailsDialog() {
  const [info] = useState(editedChannel.peek()!)
  const [name, setName] = useState(info.name ?? info.channel)
  const [topic, setTopic] = useState(info.topic ?? '')
  const [description, setDescription] = useState(info.description ?? '')
  const [readOnly, setReadOnly] = useState(info.posting === 'managers')
  const texts = strings.about
  const manages = info.may.includes('manage')
  const wanted = name.trim()

  const save = async () => {
    const change = changed(info, {
      name: wanted,
      topic: topic.trim() || null,
      description: description.trim() || null,
      posting: readOnly ? 'managers' : 'everyone',
    })
    if (Object.keys(change).length === 0) return
    if (manages) await changeChannelInfo(info.channel, change)
    else if (!(await renameChannel(info.channel, wanted))) return strings.privateDialog.notRenamed(wanted)
  }
  const form = useSubmit({
    check: () => (wanted === '' ? { field: 'name', sentence: strings.privateDialog.nameNeeded } : undefined),
    send: save,
    whyNot: () => strings.sidebar.notChanged(name),
    done: close,
  })

  return (
    <FormDialog
      title={manages ? texts.edit : strings.privateDialog.rename}
      close={close}
      form={form}
      label={manages ? texts.save : strings.privateDialog.rename}
    >
      <Field
        name="name"
        label={strings.privateDialog.name}
        icon={iconOf(info.channel)}
        value={name}
        maxLength={LONGEST_NAME}
        problem={form.problemOf('name')}
        set={text => {
          setName(text)
          form.clear()
        }}
      />
      {manages && (
        <>
          <Field name="topic" label={texts.topic} value={topic} maxLength={LONGEST_TOPIC} set={setTopic} />
          <div class="field">
            <label for="details-description">{texts.description}</label>
            <textarea
              id="details-description"
              class="details-description"
              rows={4}
              value={description}
              maxLength={LONGEST_DESCRIPTION}
              onInput={event => setDescription(event.currentTarget.value)}
            />
          </div>
          <ReadOnlySwitch checked={readOnly} set={setReadOnly} />
        </>
      )}
    </FormDialog>
  )
}

/** The fields that the person has edited: others may have changed meanwhile. */
function changed(before: ChannelInfoPayload, after: Required<Omit<ChannelChange, 'default'>>): ChannelChange {
  const shown = { ...before, name: before.name ?? before.channel }
  const fields = Object.entries(after).filter(
    ([field, value]) => shown[field as keyof ChannelChange] !== value,
  )
  return Object.fromEntries(fields)
}

const close = () => {
  editedChannel.value = undefined
}
