import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './Segmented.css'

interface SegmentedProps<T> {
  label: string
  value: T
  choices: { value: T; label: string; before?: ComponentChildren }[]
  set: (value: T) => void
}

/** A choice among a few: radio buttons, so that arrow keys move and screen readers count. */
export function Segmented<T extends string | number>({ label, value, choices, set }: SegmentedProps<T>) {
  const name = useId()
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {choices.map(choice => (
        <label key={choice.value}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={choice.value === value}
            onChange={() => set(choice.value)}
          />
          {choice.before}
          {choice.label}
        </label>
      ))}
    </div>
  )
}
