import { useState } from 'preact/hooks'
import type { BackupPayload, BackupsPayload } from '#shared/domain/payloads/administration.ts'
import { strings } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { isProven, isRunning } from './backup-state.ts'
import { CommandLines } from './CommandLines.tsx'

const SHOWN = 7

/** The newest ones; all 50 that the server lists on request. */
export function BackupTable({ list: { items, folder } }: { list: BackupsPayload }) {
  const [isWhole, setWhole] = useState(false)
  const [restored, setRestored] = useState<string>()
  const texts = strings.backups
  if (items.length === 0) return <p class="hint">{texts.noneYet}</p>
  return (
    <section aria-labelledby="backups-last">
      <h2 id="backups-last" class="backups-title">
        {texts.last}
      </h2>
      <table class="admin-table">
        <thead>
          <tr>
            <th scope="col">{texts.madeAt}</th>
            <th scope="col" class="is-number is-quiet">
              {texts.size}
            </th>
            <th scope="col" class="is-number is-quiet">
              {texts.took}
            </th>
            <th scope="col">{texts.restore}</th>
            <th scope="col">
              <span class="visually-hidden">{strings.administration.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, isWhole ? items.length : SHOWN).map(item => (
            <Row key={item.id} item={item} restore={setRestored} />
          ))}
        </tbody>
      </table>
      {!isWhole && items.length > SHOWN && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          {texts.all(items.length)}
        </button>
      )}
      {restored !== undefined && (
        <RestoreDialog name={restored} folder={folder} close={() => setRestored(undefined)} />
      )}
    </section>
  )
}

function Row({ item, restore }: { item: BackupPayload; restore: (name: string) => void }) {
  const texts = strings.backups
  const { name, asked_ts, started_ts, bytes, report } = item
  const at = started_ts ?? asked_ts
  return (
    <tr>
      <th scope="row">
        <b>{strings.date(at)}</b> <span class="tabular-numbers">{strings.time(at)}</span>
        {item.asked_by !== null && <p class="hint">{texts.by(item.asked_by)}</p>}
      </th>
      <td class="is-number is-quiet tabular-numbers">
        {bytes === null ? '–' : strings.statistics.size(bytes)}
      </td>
      <td class="is-number is-quiet tabular-numbers">
        {report.seconds === undefined ? '–' : texts.duration(report.seconds)}
      </td>
      <td>
        <span class={`backups-state ${isProven(item) ? 'is-ok' : isRunning(item) ? '' : 'is-look'}`}>
          <Icon name={isProven(item) ? 'check' : isRunning(item) ? 'clock' : 'alert'} size={16} />
          <span>
            {stateOf(item)}
            {report.fault !== undefined && <span class="hint backups-fault">{report.fault}</span>}
          </span>
        </span>
      </td>
      <td>
        {name !== null && !isRunning(item) && (
          <button
            type="button"
            class="button button-quiet"
            aria-label={texts.restoreOf(strings.date(at), strings.time(at))}
            onClick={() => restore(name)}
          >
            {texts.restoreIt}
          </button>
        )}
      </td>
    </tr>
  )
}

function stateOf(item: BackupPayload): string {
  const texts = strings.backups
  if (item.started_ts === null) return texts.waits
  if (isRunning(item)) return texts.isMade
  if (isProven(item)) return texts.proven(item.seconds_to_restore ?? 0)
  if (item.report.killed) return texts.killed
  return item.name === null ? texts.failed : texts.notProven
}

/** A restore replaces what people wrote since: it is run where the server is, never from here. */
function RestoreDialog({ name, folder, close }: { name: string; folder: string | null; close: () => void }) {
  const texts = strings.backups
  return (
    <Dialog label={texts.restoreTitle} onClose={close}>
      <h2 class="dialog-title">{texts.restoreTitle}</h2>
      <p class="dialog-text">{texts.restoreMore}</p>
      <CommandLines verb="restore <backup> --replace" folder={folder} name={name} />
      <p class="dialog-text">{texts.restoreFirst}</p>
      <CommandLines verb="verify <backup>" folder={folder} name={name} />
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.close}
        </button>
      </div>
    </Dialog>
  )
}
