import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { Failure } from '../../net/requests/endpoints.ts'
import { tolerate } from '../../store/device/tolerate.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import { AccountSwitch } from './AccountSwitch.tsx'
import { ColorPicker } from './ColorPicker.tsx'
import { OwnAccount } from './OwnAccount.tsx'
import { PicturePicker } from './PicturePicker.tsx'
import * as draft from './profile-draft.ts'
import { Foot, SetRow } from './rows.tsx'
import { isUnsaved } from './unsaved.ts'

/** Saved explicitly, because others see it. */
export function Profile({ close }: { close: () => void }) {
  const texts = strings.myProfile
  const [isBusy, setBusy] = useState(false)
  const [note, setNote] = useState('')
  const changed = draft.isChanged.value
  useEffect(() => draft.discard, [])
  useEffect(() => {
    isUnsaved.value = changed
    if (changed) setNote('')
  }, [changed])

  const save = async () => {
    if (isBusy) return
    if (draft.colorNow.peek() === undefined) return document.getElementById('hex-colour')?.focus()
    setBusy(true)
    setNote(texts.saving)
    try {
      await draft.save()
      setNote(texts.saved)
    } catch (error) {
      tolerate(error, Failure, DOMException)
      setNote(draft.isColorChanged.peek() ? strings.settings.notSaved : texts.pictureNotSaved)
    } finally {
      setBusy(false)
    }
  }
  const pending = draft.isPictureChanged.value ? texts.pending.picture : texts.pending.other

  return (
    <>
      <div class="settings-body">
        <OwnAccount />
        <SetRow title={texts.picture} more={texts.pictureMore}>
          <PicturePicker />
        </SetRow>
        <SetRow title={texts.color} more={texts.colorMore}>
          <ColorPicker />
        </SetRow>
        <SetRow title={texts.status} more={texts.statusMore}>
          <Status />
        </SetRow>
        <AccountSwitch name="share_read" texts={texts.shareRead} />
      </div>
      <Foot note={note || (changed ? pending : '')}>
        {changed ? (
          <>
            <button type="button" class="button" onClick={draft.discard}>
              {strings.settings.discard}
            </button>
            <button type="button" class="button button-primary" aria-disabled={isBusy} onClick={save}>
              {texts.save}
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
