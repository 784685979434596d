import { strings } from '../../i18n/i18n.ts'

/** Managers alone write. */
export function ReadOnlySwitch({ checked, set }: { checked: boolean; set: (on: boolean) => void }) {
  return (
    <label class="browse-switch">
      <input type="checkbox" checked={checked} onChange={event => set(event.currentTarget.checked)} />
      <span>
        {strings.browse.readOnly}
        <span class="hint">{strings.browse.readOnlyHint}</span>
      </span>
    </label>
  )
}
