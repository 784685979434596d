import type { ButtonHTMLAttributes } from 'preact'
import { Icon } from './Icon.tsx'

interface Props extends Omit<ButtonHTMLAttributes, 'icon' | 'label' | 'size' | 'class'> {
  icon: string
  /** Its name and its tooltip. */
  label: string
  /** Pixels; without it the usual one. */
  size?: 24 | 28
  iconSize?: 14 | 16 | 18 | 20
  flip?: boolean
  class?: string
}

const ICON_SIZES = { 24: 14, 28: 16 } as const

/** A button that shows nothing but an icon. */
export function IconButton({ icon, label, size, iconSize, flip, class: more, ...rest }: Props) {
  const look = ['ib', size && `ib-${size}`, more].filter(Boolean).join(' ')
  return (
    <button type="button" class={look} aria-label={label} title={label} {...rest}>
      <Icon
        name={icon}
        size={iconSize ?? (size ? ICON_SIZES[size] : 18)}
        {...(flip !== undefined && { flip })}
      />
    </button>
  )
}
