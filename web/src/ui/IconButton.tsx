import type { ButtonHTMLAttributes } from 'preact'
import { Icon } from './Icon.tsx'

interface Props extends Omit<ButtonHTMLAttributes, 'icon' | 'label' | 'size' | 'class'> {
  icon: string
  /** Accessible name and tooltip. */
  label: string
  /** In px; the usual size if undefined. */
  size?: 24 | 28
  iconSize?: 14 | 16 | 18 | 20
  flip?: boolean
  class?: string
}

const ICON_SIZES = { 24: 14, 28: 16 } as const

/** A button with an icon only. */
export function IconButton({ icon, label, size, iconSize, flip, class: more, ...rest }: Props) {
  const look = ['icon-button', size && `icon-button-${size}`, more].filter(Boolean).join(' ')
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
