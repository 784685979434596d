import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { Failure } from '../../net/endpoints.ts'
import { tolerate } from '../../store/tolerate.ts'
import { ColorPicker } from './ColorPicker.tsx'
import { PicturePicker } from './PicturePicker.tsx'
import * as draft from './profile-draft.ts'
import { Foot, Segmented, SetRow } from './rows.tsx'
import { isUnsaved } from './unsaved.ts'

/** Saved explicitly, because others see it. */
export function Profile({ close }: { close: () => void }) {
  const say = strings.myProfile
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const changed = draft.isChanged.value
  useEffect(() => draft.discard, [])
  useEffect(() => {
    isUnsaved.value = changed
    if (changed) setSaid('')
  }, [changed])

  const save = async () => {
    if (isBusy) return
    if (draft.colorNow.peek() === undefined) return document.getElementById('hex-colour')?.focus()
    setBusy(true)
    setSaid(say.saving)
    try {
      await draft.save()
      setSaid(say.saved)
    } catch (error) {
      tolerate(error, Failure, DOMException)
      setSaid(draft.isColorChanged.peek() ? strings.settings.notSaved : say.pictureNotSaved)
    } finally {
      setBusy(false)
    }
  }
  const pending = draft.isPictureChanged.value ? say.pending.picture : say.pending.other

  return (
    <>
      <div class="settings-body">
        <SetRow title={say.picture} more={say.pictureMore}>
          <PicturePicker />
        </SetRow>
        <SetRow title={say.color} more={say.colorMore}>
          <ColorPicker />
        </SetRow>
        <SetRow title={say.status} more={say.statusMore}>
          <Status />
        </SetRow>
      </div>
      <Foot note={said || (changed ? pending : '')}>
        {changed ? (
          <>
            <button type="button" class="button" onClick={draft.discard}>
              {strings.settings.discard}
            </button>
            <button type="button" class="button button-primary" aria-disabled={isBusy} onClick={save}>
              {say.save}
            </button>
          </>
        ) : (
          <button type="button" class="button button-primary" onClick={close}>
            {strings.settings.done}
          </button>
        )}
      </Foot>
    </>
  )
}

function Status() {
  const shapes = { auto: '', active: '', idle: ' is-idle', offline: ' is-off' }
  return (
    <Segmented
      label={strings.myProfile.status}
      value={draft.statusNow.value}
      choices={(['auto', 'active', 'idle', 'offline'] as const).map(value => ({
        value,
        label: strings.status[value],
        before: <span class={`presence-dot${shapes[value]}`} />,
      }))}
      set={value => {
        draft.status.value = value
      }}
    />
  )
}
