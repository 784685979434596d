import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../i18n/i18n.ts'
import { Logo } from '../ui/Icon.tsx'

/** Replaces the whole screen, so that no conversation stays visible. */
export function AccountDeleted() {
  const texts = strings.farewell
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = strings.product
    heading.current?.focus()
  }, [])
  return (
    <main class="farewell empty-state">
      <Logo />
      <h1 ref={heading} tabIndex={-1}>
        {texts.title}
      </h1>
      <p>{texts.more}</p>
      <a class="button button-primary" href="/login">
        {texts.toStart}
      </a>
    </main>
  )
}
