import type { ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'
import './form.css'

interface Props {
  id?: string
  value: string
  choose: (value: string) => void
  children: ComponentChildren
  'aria-label'?: string
  'aria-describedby'?: string
}

/** The native list of choices, with the look of a button. */
export function Select({ choose, children, ...rest }: Props) {
  return (
    <span class="select">
      <select {...rest} onChange={event => choose(event.currentTarget.value)}>
        {children}
      </select>
      <Icon name="chev-down" size={16} />
    </span>
  )
}
