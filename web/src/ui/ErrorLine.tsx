import type { ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'

/** Why something failed, read out at once. */
export function ErrorLine({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <span class="error" id={id} role="alert">
      <Icon name="alert" size={16} />
      {children}
    </span>
  )
}
