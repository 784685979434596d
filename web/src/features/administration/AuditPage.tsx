import { strings } from '../../i18n/i18n.ts'
import { type AuditEntry, auditLog } from '../../net/administration.ts'
import { nameOf } from '../../store/names.ts'
import { PageEnd } from './PageEnd.tsx'
import { usePages } from './use-pages.ts'

/** Acts of administration, newest first; each opens in place. */
export function AuditPage() {
  const log = usePages('', cursor => auditLog(cursor === undefined ? {} : { cursor }))
  const say = strings.administration
  return (
    <>
      <div class="admin-tools">
        <a class="button" href="/admin/audit.csv" download>
          {say.csv}
        </a>
      </div>
      <div>
        {log.items.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </div>
      <PageEnd {...log} count={log.items.length} none={say.noEntries} />
    </>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { ts, actor, action, target, channel, detail, address } = entry
  return (
    <details class="audit-entry">
      <summary>
        <time title={strings.fullTime(ts)}>
          {strings.date(ts)} {strings.time(ts)}
        </time>
        <b>{actor}</b>
        <code>{action}</code>
        {target !== null && <bdi>{target}</bdi>}
        {channel !== null && <bdi>{nameOf(channel)}</bdi>}
      </summary>
      <pre>{JSON.stringify(detail, null, 2)}</pre>
      {address !== null && <p class="hint">{strings.administration.from(address)}</p>}
    </details>
  )
}
