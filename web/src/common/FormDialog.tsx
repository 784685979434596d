import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../i18n/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorLine } from '../ui/ErrorLine.tsx'
import { DialogHead } from './DialogHead.tsx'
import { fieldOf, type Submit } from './use-submit.ts'

interface Props {
  title: string
  close: () => void
  /** The words on the button that submits. */
  label: string
  /** A request with its state, or what is done at once. */
  form: Pick<Submit, 'element' | 'busy' | 'problem' | 'submit'> | (() => unknown)
  /** A question: small, without a cross. */
  narrow?: boolean
  /** Something is lost: the button is red. */
  danger?: boolean
  /** The button that submits has the focus. */
  ready?: boolean
  /** Something is missing: nothing is submitted. */
  incomplete?: boolean
  /** In place of Cancel, which closes; false: the cross suffices. */
  cancel?: { label: string; run: () => void } | false
  /** Before the buttons. */
  beside?: ComponentChildren
  onKeyDown?: (event: KeyboardEvent) => void
  children: ComponentChildren
}

const FIELD = 'input:not([type=radio], [hidden], [readonly]), select, textarea'

/**
 * A dialog with a form: title, fields, the sentence of a failure, and buttons to cancel and submit. The first field has
 * the focus, without one Cancel; after a failure the first faulty field.
 */
export function FormDialog(props: Props) {
  const { title, close, label, form, narrow = false, danger, ready, incomplete, cancel, beside } = props
  const own = useRef<HTMLFormElement>(null)
  const { element, busy, problem, submit } = typeof form === 'function' ? atOnce(form, own) : form
  useEffect(() => {
    if (document.activeElement?.matches(`${FIELD}, [autofocus]`)) return
    element.current?.querySelector<HTMLElement>(`${FIELD}, .dialog-foot .button`)?.focus()
  }, [])

  return (
    <Dialog
      label={title}
      onClose={close}
      narrow={narrow}
      form={{ ref: element, onSubmit: () => !incomplete && void submit(), onKeyDown: props.onKeyDown }}
    >
      {narrow ? <h2 class="dialog-title">{title}</h2> : <DialogHead title={title} close={close} />}
      {props.children}
      {problem && !fieldOf(element.current, problem) && <ErrorLine>{problem.sentence}</ErrorLine>}
      <div class="dialog-foot">
        {beside}
        {cancel !== false && (
          <button type="button" class="button" onClick={cancel?.run ?? close}>
            {cancel?.label ?? strings.cancel}
          </button>
        )}
        <button
          type="submit"
          class={danger ? 'button button-danger' : 'button button-primary'}
          autofocus={ready ?? false}
          aria-disabled={busy || incomplete === true}
        >
          {label}
        </button>
      </div>
    </Dialog>
  )
}

const atOnce = (run: () => unknown, element: Submit['element']) => ({
  element,
  busy: false,
  problem: undefined,
  submit: async () => void run(),
})
