import type { ComponentChildren } from 'preact'
import { FormDialog } from '../../common/FormDialog.tsx'
import { fieldOf, type Submit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { SidePanel } from './SidePanel.tsx'

interface Props {
  /** In a panel beside the list; else in a dialog. */
  isBeside: boolean
  title: string
  /** Runs with the cross and Escape. */
  leave: () => void
  form: Submit
  /** The words on the button that submits. */
  label: string
  /** Discards what was typed or made. */
  discard: (() => void) | undefined
  children: ComponentChildren
}

/** The form of a hook, in a panel where there is room for one. */
export function HookFrame({ isBeside, title, leave, form, label, discard, children }: Props) {
  if (!isBeside)
    return (
      <FormDialog
        title={title}
        close={leave}
        form={form}
        label={label}
        cancel={discard ? { label: strings.cancel, run: discard } : false}
      >
        {children}
      </FormDialog>
    )
  const { element, busy, problem, onSubmit } = form
  return (
    <SidePanel
      id="hook-panel"
      title={title}
      label={title}
      closeLabel={strings.hooks.closeOf(title)}
      close={leave}
    >
      <form ref={element} noValidate onSubmit={onSubmit}>
        <div class="side-panel-parts">
          {children}
          {problem && !fieldOf(element.current, problem) && (
            <div>
              <ErrorLine>{problem.sentence}</ErrorLine>
            </div>
          )}
        </div>
        <div class="side-panel-foot">
          {discard && (
            <button type="button" class="button button-quiet button-danger-text" onClick={discard}>
              {strings.settings.discard}
            </button>
          )}
          <button type="submit" class="button button-primary" aria-disabled={busy}>
            {label}
          </button>
        </div>
      </form>
    </SidePanel>
  )
}
