import type { ComponentChildren } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import { isPhone, panel } from '../../store/store.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { AdministrationStrip } from './AdministrationNav.tsx'
import { shownPage } from './admin-pages.ts'

interface Props {
  /** Number of rows, in words. Hidden on a phone. */
  count?: string | undefined
  /** Beside the title. */
  beside?: ComponentChildren
  /** A column for forms. */
  narrow?: boolean
  children: ComponentChildren
}

/** Head and scrolled column of a page of the administration. */
export function PageFrame({ count, beside, narrow, children }: Props) {
  const texts = strings.administration
  return (
    <>
      <div class="panel-head">
        <h1 tabIndex={-1}>{texts.pages[shownPage()]}</h1>
        {count !== undefined && !isPhone.value && <span class="hint page-count">{count}</span>}
        {beside}
        {isPhone.value && (
          <IconButton
            icon="x"
            label={texts.close}
            onClick={() => {
              panel.value = undefined
            }}
          />
        )}
      </div>
      {isPhone.value && <AdministrationStrip />}
      <div class="panel-results">
        <div class={narrow ? 'page-column is-narrow' : 'page-column'}>{children}</div>
      </div>
    </>
  )
}
