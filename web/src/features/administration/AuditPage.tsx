import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { type AuditEntry, auditLog } from '../../net/administration.ts'
import { nameOf } from '../../store/names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'

/** Acts of administration, newest first; each opens in place. */
export function AuditPage() {
  const log = usePages([], cursor => auditLog(cursor === undefined ? {} : { cursor }))
  const say = strings.administration
  const csv = (
    <a class="button" href="/admin/audit.csv" download>
      <Icon name="download" size={16} />
      {say.csv}
    </a>
  )
  return (
    <PageFrame beside={csv}>
      {log.items.map(entry => (
        <Entry key={entry.id} entry={entry} />
      ))}
      <PageEnd {...log} count={log.items.length} none={say.noEntries} />
    </PageFrame>
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
