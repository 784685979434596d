import { FormDialog } from '../../common/FormDialog.tsx'
import { act } from './act.ts'

export interface Question<T = unknown> {
  title: string
  more: string
  /** The words on the button. */
  label: string
  danger?: boolean
  /** The name in the sentence of a failure. */
  name: string
  run: () => Promise<T>
  done: (result: T) => void
}

/** Asks before an act that cannot be taken back. */
export function AskDialog<T>({ asked, close }: { asked: Question<T>; close: () => void }) {
  const { title, more, label, danger = false, name, run, done } = asked
  const go = () => {
    close()
    void act(run, name, done)
  }
  return (
    <FormDialog title={title} close={close} form={go} label={label} danger={danger} narrow ready>
      <p class="dialog-text">{more}</p>
    </FormDialog>
  )
}
