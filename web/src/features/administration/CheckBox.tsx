interface Props {
  label: string
  hint?: string
  checked: boolean
  set: (checked: boolean) => void
}

export function CheckBox({ label, hint, checked, set }: Props) {
  return (
    <label class="integrations-check">
      <input type="checkbox" checked={checked} onChange={event => set(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span class="hint admin-note">{hint}</span>}
      </span>
    </label>
  )
}
