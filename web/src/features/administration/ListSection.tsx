import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import './integrations.css'

interface Props {
  id: string
  title: string
  about: string
  /** The button that adds one, for those who may. */
  make?: { label: string; run: () => void } | undefined
  /** Rows; undefined until they are loaded. */
  rows: ComponentChildren[] | undefined
  none: string
  /** Set if the list could not be loaded. */
  failed?: { sentence: string; again: () => void } | undefined
  /** Dialogs and panels. */
  children?: ComponentChildren
}

/** A list of the page of integrations with its heading. */
export function ListSection({ id, title, about, make, rows, none, failed, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    // A row that is removed takes the focus with it.
    if (hadFocus.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
  }, [rows?.length])
  return (
    <section
      class="integrations"
      aria-labelledby={id}
      onFocusIn={() => {
        hadFocus.current = true
      }}
      onFocusOut={event => {
        hadFocus.current = event.relatedTarget === null
      }}
    >
      <div class="integrations-head">
        <h2 ref={heading} id={id} class="label" tabIndex={-1}>
          {title}
        </h2>
        {make && (
          <button type="button" id={`${id}-make`} class="button" onClick={make.run}>
            <Icon name="plus" size={16} />
            {make.label}
          </button>
        )}
      </div>
      <p class="hint">{about}</p>
      {failed && (
        <p class="hint" role="alert">
          {failed.sentence}{' '}
          <button type="button" class="button" onClick={failed.again}>
            {strings.tryAgain}
          </button>
        </p>
      )}
      <ul class="admin-list integrations-list">{rows}</ul>
      {rows?.length === 0 && <p class="hint">{none}</p>}
      {children}
    </section>
  )
}
