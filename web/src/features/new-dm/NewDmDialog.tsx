import { useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { PeopleField } from '../../common/PeopleField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { isNewDmOpen, startConversation } from './open-new-dm.ts'

const close = () => {
  isNewDmOpen.value = false
}

export function NewDmDialog() {
  const [chosen, setChosen] = useState<Username[]>([])
  const start = () => {
    if (chosen.length === 0) return
    close()
    startConversation(chosen)
  }
  const texts = strings.newDm
  return (
    <FormDialog
      title={texts.title}
      close={close}
      form={start}
      label={texts.start}
      incomplete={chosen.length === 0}
    >
      <PeopleField label={texts.field} inside autofocus chosen={chosen} onChange={setChosen} onDone={start} />
    </FormDialog>
  )
}
