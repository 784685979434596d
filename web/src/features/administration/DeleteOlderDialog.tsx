import { strings } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'

interface Props {
  setting: string
  value: number
  answer: (isWanted: boolean) => void
}

/** Asks before a setting deletes what was kept so far. */
export function DeleteOlderDialog({ setting, value, answer }: Props) {
  const say = strings.workspaceSettings
  return (
    <Dialog label={say.deleteTitle} onClose={() => answer(false)} narrow>
      <h2 class="dialog-title">{say.deleteTitle}</h2>
      <p class="dialog-text">
        {say.deleteOlder[setting]?.(value)} {say.cannotUndo}
      </p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={() => answer(false)}>
          {strings.cancel}
        </button>
        <button type="button" class="button button-danger" onClick={() => answer(true)}>
          {say.deleteRun}
        </button>
      </div>
    </Dialog>
  )
}
