import { strings } from '../../i18n/i18n.ts'

/** A list that could not be loaded, with a button to try again. */
export function ListFailed({ text, again }: { text: string; again: () => void }) {
  return (
    <div class="later-failed">
      <p class="hint" role="status">
        {text}
      </p>
      <button type="button" class="button" onClick={again}>
        {strings.tryAgain}
      </button>
    </div>
  )
}
