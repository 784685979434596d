import { useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { PeopleField } from '../../common/PeopleField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isNewDmOpen, startConversation } from './open-new-dm.ts'

export function NewDmDialog() {
  const [chosen, setChosen] = useState<Username[]>([])
  const close = () => {
    isNewDmOpen.value = false
  }
  const start = () => {
    if (chosen.length === 0) return
    close()
    startConversation(chosen)
  }
  return (
    <Dialog label={strings.newDm.title} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{strings.newDm.title}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      <PeopleField
        label={strings.newDm.field}
        inside
        autofocus
        chosen={chosen}
        onChange={setChosen}
        onDone={start}
      />
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button button-primary"
          aria-disabled={chosen.length === 0}
          onClick={start}
        >
          {strings.newDm.start}
        </button>
      </div>
    </Dialog>
  )
}
