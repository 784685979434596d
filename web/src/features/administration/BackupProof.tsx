import type { ComponentChildren } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Proven } from './backup-state.ts'
import { CommandLines } from './CommandLines.tsx'

/** Counts of the last proven restore, and the command to repeat it. */
export function BackupProof({ backup, folder }: { backup: Proven; folder: string | null }) {
  const texts = strings.backups
  const { rows = 0, tables = 0, files = 0, missing, newer = [] } = backup.report
  return (
    <section class="backups-proof" aria-labelledby="backups-proof">
      <h2 id="backups-proof">{texts.compared}</h2>
      <ul>
        <Step title={texts.restoredEmpty}>{texts.duration(backup.seconds_to_restore ?? 0)}</Step>
        <Step title={texts.rows}>{texts.rowsMore(rows, tables)}</Step>
        <Step title={texts.newest} />
        <Step title={texts.files}>{texts.filesMore(files)}</Step>
      </ul>
      {missing !== undefined && missing.count > 0 && <p class="hint">{texts.missing(missing.count)}</p>}
      {newer.length > 0 && <p class="hint">{texts.newerSchema(newer.join(', '))}</p>}
      {backup.name !== null && (
        <div class="backups-by-hand">
          <p class="hint">{texts.byHand}</p>
          <CommandLines verb="verify <backup> --drill" folder={folder} name={backup.name} />
        </div>
      )}
    </section>
  )
}

function Step({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <li>
      <span class="ready-mark is-ok">
        <Icon name="check" size={16} />
      </span>
      <div>
        {title}
        {children !== undefined && <p class="hint">{children}</p>}
      </div>
    </li>
  )
}
