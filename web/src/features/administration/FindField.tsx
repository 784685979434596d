import { Icon } from '../../ui/Icon.tsx'

/** Narrows a list while typing. */
export function FindField({
  label,
  value,
  set,
}: {
  label: string
  value: string
  set: (value: string) => void
}) {
  return (
    <div class="input input-small admin-find">
      <Icon name="search" size={16} />
      <input
        value={value}
        placeholder={label}
        aria-label={label}
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        onInput={event => set(event.currentTarget.value)}
      />
    </div>
  )
}
