import { PlaceField } from '../../common/PlaceField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
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
      <div class="dialog-head">
        <h2 class="dialog-title">{strings.scheduled.chooseOther}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
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
