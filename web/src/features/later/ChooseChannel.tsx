import { DialogHead } from '../../common/DialogHead.tsx'
import { PlaceField } from '../../common/PlaceField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { moved, moveTo } from './scheduled.ts'

const close = () => {
  moved.value = undefined
}

/** Another channel for a scheduled message that was not sent. */
export function ChooseChannel() {
  const one = moved.value
  if (!one) return null
  return (
    <Dialog label={strings.scheduled.chooseOther} onClose={close}>
      <DialogHead title={strings.scheduled.chooseOther} close={close} />
      <p class="saved-row-text" dir="auto">
        {one.text}
      </p>
      <PlaceField
        pick={({ channel }) => {
          close()
          void moveTo(one, channel)
        }}
      />
    </Dialog>
  )
}
