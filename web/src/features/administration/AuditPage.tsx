import { useEffect, useId, useState } from 'preact/hooks'
import type { AuditPayload } from '#shared/domain/payloads/administration.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { type AuditFilter, auditAddress, auditLog, settings } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { nameOf } from '../../store/channels/names.ts'
import { displayed, displayNameOf } from '../../store/people/people.ts'
import { people, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Select } from '../../ui/Select.tsx'
import { fieldsOf, targetText } from './audit-fields.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'
import { PersonField } from './PersonField.tsx'
import './AuditPage.css'

/** After the last key, ms. */
const SETTLED = 300
const NO_FILTER = { actor: '', action: '', target: '', since: '' }
type Chosen = typeof NO_FILTER

/** Acts of administration by day, newest first; each opens in place. The filters apply to the file too. */
export function AuditPage() {
  const [chosen, setChosen] = useState(NO_FILTER)
  const filter = filterOf(chosen)
  const log = usePages(
    Object.values(chosen),
    cursor => auditLog({ ...filter, ...(cursor !== undefined && { cursor }) }),
    { settle: SETTLED },
  )
  const texts = strings.audit
  const isFiltered = Object.keys(filter).length > 0
  const csv = (
    <a class="button" href={auditAddress('.csv', filter)} download>
      <Icon name="download" size={16} />
      {texts.csv}
    </a>
  )
  return (
    <PageFrame count={useKept()} beside={csv}>
      <Filters
        chosen={chosen}
        set={change => setChosen({ ...chosen, ...change })}
        clear={isFiltered ? () => setChosen(NO_FILTER) : undefined}
      />
      <PagesStart {...log} />
      {byDay(log.items).map(([day, entries]) => (
        <section key={day} class="audit-day" aria-label={day}>
          <h2>{day}</h2>
          {entries.map(entry => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </section>
      ))}
      <PageEnd {...log} none={isFiltered ? texts.noMatch : texts.none} />
      <p class="hint">{texts.noTexts}</p>
    </PageFrame>
  )
}

/** How long entries are kept, in words; undefined until it is known. */
function useKept(): string | undefined {
  const [days, setDays] = useState<number>()
  useEffect(() => {
    settings().then(({ items }) => {
      const value = items.find(({ key }) => key === 'audit_retention_days')?.value
      if (typeof value === 'number') setDays(value)
    }, tolerateFailure)
  }, [])
  return days === undefined ? undefined : strings.audit.keptFor(days)
}

function byDay(entries: readonly AuditPayload[]): [string, AuditPayload[]][] {
  const days = new Map<string, AuditPayload[]>()
  for (const entry of entries) {
    const day = strings.date(entry.ts)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

function filterOf({ actor, action, target, since }: Chosen): AuditFilter {
  const from = since === '' ? Number.NaN : new Date(`${since}T00:00`).getTime() / 1000
  return {
    ...(actor.trim() && { actor: actor.trim() }),
    ...(action && { action }),
    ...(target.trim() && { target: target.trim() }),
    ...(from >= 0 && { from: String(from) }),
  }
}

interface FiltersProps {
  chosen: Chosen
  set: (change: Partial<Chosen>) => void
  /** Undefined: no filter is set. */
  clear: (() => void) | undefined
}

function Filters({ chosen, set, clear }: FiltersProps) {
  const id = useId()
  const texts = strings.audit
  return (
    <div class="admin-tools">
      <PersonField label={texts.by} value={chosen.actor} set={actor => set({ actor })} />
      <span class="admin-filter">
        <label class="hint" for={`${id}-what`}>
          {texts.what}
        </label>
        <Select id={`${id}-what`} value={chosen.action} choose={action => set({ action })}>
          <option value="">{texts.anything}</option>
          {Object.entries(texts.subjects).map(([subject, name]) => (
            <option key={subject} value={subject}>
              {name}
            </option>
          ))}
        </Select>
      </span>
      <PersonField label={texts.to} value={chosen.target} set={target => set({ target })} />
      <span class="admin-filter">
        <label class="hint" for={`${id}-since`}>
          {texts.since}
        </label>
        <span class="input input-small">
          <input
            id={`${id}-since`}
            type="date"
            value={chosen.since}
            onInput={event => set({ since: event.currentTarget.value })}
          />
        </span>
      </span>
      {clear && (
        <button type="button" class="button button-quiet" onClick={clear}>
          {texts.clear}
        </button>
      )}
    </div>
  )
}

/** Records name the account; the name is what readers know. */
function nameAndUsername(username: string): string {
  const name = displayNameOf(username)
  return name ? `${name} (${username})` : username
}

function Entry({ entry }: { entry: AuditPayload }) {
  const { ts, actor, action, channel, address } = entry
  const texts = strings.audit
  const target = targetText(entry, nameAndUsername)
  const fields = fieldsOf(entry, nameOf)
  const isNamed = actor !== null && displayNameOf(actor) != null
  return (
    <details class="audit-entry">
      <summary>
        <time title={strings.fullTime(ts)}>{strings.time(ts)}</time>
        <b class="audit-actor">
          {actor !== null && (actor === viewer || people.value.includes(actor)) ? (
            <Avatar name={actor} size={24} />
          ) : (
            <Icon name="gear" size={16} />
          )}
          <bdi>{actor !== null && displayed(actor)}</bdi>
          {isNamed && <bdi class="hint">{actor}</bdi>}
        </b>
        <span title={action}>{texts.acts[action] ?? action}</span>
        <span>
          {target !== undefined && <bdi>{target}</bdi>}
          {target !== undefined && channel !== null && ', '}
          {channel !== null && <bdi>{nameOf(channel)}</bdi>}
        </span>
        {address !== null && <code class="audit-address">{address}</code>}
      </summary>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
        <div>
          <dt>{texts.act}</dt>
          <dd>
            <code>{action}</code>
          </dd>
        </div>
        {address !== null && (
          <div>
            <dt>{texts.address}</dt>
            <dd>
              <code>{address}</code>
            </dd>
          </div>
        )}
      </dl>
    </details>
  )
}
