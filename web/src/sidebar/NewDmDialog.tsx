import { useState } from 'preact/hooks'
import type { Username } from '#shared/rules/units.ts'
import { PeopleField } from '../people/PeopleField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
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
        <button type="button" class="ib" aria-label={words.close} onClick={close}>
          <Icon name="x" />
        </button>
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
