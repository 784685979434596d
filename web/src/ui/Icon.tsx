interface Props {
  name: string
  size?: 14 | 16 | 18 | 20 | 24
  flip?: boolean
}

export function Icon({ name, size = 18, flip }: Props) {
  return (
    <svg class={`icon icon-${size}${flip ? ' icon-flip' : ''}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

export function Logo() {
  return (
    <svg class="logo" aria-hidden="true">
      <use href="#logo" />
    </svg>
  )
}
