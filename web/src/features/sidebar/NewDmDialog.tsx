import { useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { words } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { PeopleField } from '../people/PeopleField.tsx'
import { isNewDmOpen, startConversation } from './new-dm.ts'

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
    <Dialog label={words.newDm.title} onClose={close}>
      <div class="dlg-head">
        <h2 class="dlg-title">{words.newDm.title}</h2>
        <IconButton icon="x" label={words.close} onClick={close} />
      </div>
      <PeopleField
        label={words.newDm.field}
        inside
        autofocus
        chosen={chosen}
        onChange={setChosen}
        onDone={start}
      />
      <div class="dlg-foot">
        <button type="button" class="btn" onClick={close}>
          {words.cancel}
        </button>
        <button type="button" class="btn btn-primary" aria-disabled={chosen.length === 0} onClick={start}>
          {words.newDm.start}
        </button>
      </div>
    </Dialog>
  )
}
