import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { commandsFor } from './backup-state.ts'

interface Props {
  /** With `<backup>` in place of the folder. */
  verb: string
  folder: string | null
  name: string
}

/** The same command with `npm start` and with Compose, to copy. */
export function CommandLines({ verb, folder, name }: Props) {
  const texts = strings.backups
  const [ours, compose] = commandsFor(verb, folder, name)
  return (
    <>
      {[
        [texts.withNpm, ours!],
        [texts.withCompose, compose!],
      ].map(([label, line]) => (
        <div key={label} class="backups-command">
          <span class="hint">{label}</span>
          <div class="ready-line">
            <input readOnly value={line} aria-label={label} onFocus={event => event.currentTarget.select()} />
            <IconButton
              icon="copy"
              label={strings.ready.copy}
              onClick={() => void copyToClipboard(line!, strings.ready.copied)}
            />
          </div>
        </div>
      ))}
    </>
  )
}
