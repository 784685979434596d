import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { StatsPayload } from '#shared/domain/payloads/administration.ts'
import { strings } from '../../i18n/i18n.ts'
import { statistics } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { nameOf } from '../../store/channels/names.ts'
import { PageFrame } from './PageFrame.tsx'
import './StatisticsPage.css'

/** People, messages and storage in numbers. */
export function StatisticsPage() {
  const [found, setFound] = useState<StatsPayload>()
  const [hasFailed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    statistics().then(setFound, error => {
      tolerateFailure(error)
      setFailed(true)
    })
  }
  useEffect(load, [])
  return (
    <PageFrame>
      {hasFailed && (
        <div class="empty-state" role="alert">
          <p>{strings.administration.notLoaded}</p>
          <button type="button" class="button" onClick={load}>
            {strings.tryAgain}
          </button>
        </div>
      )}
      {found && <Numbers found={found} />}
    </PageFrame>
  )
}

function Numbers({ found }: { found: StatsPayload }) {
  const texts = strings.statistics
  const { day, week, month } = texts.activeIn
  return (
    <>
      <dl class="statistics">
        <Figure name={texts.people} value={texts.count(found.people)}>
          {texts.guests(found.guests)}
          {found.bots > 0 && `, ${texts.bots(found.bots)}`}
        </Figure>
        <Figure name={`${texts.active}, ${continued(day)}`} value={texts.count(found.active_1d)}>
          {`${week}: ${texts.count(found.active_7d)}, ${continued(month)}: ${texts.count(found.active_30d)}`}
        </Figure>
        <Figure name={texts.messages} value={texts.count(found.messages)}>
          {texts.messagesMore}
        </Figure>
        <Figure name={texts.files} value={texts.size(found.attachments_bytes)}>
          {texts.filesMore}
        </Figure>
        <Figure name={texts.database} value={texts.size(found.database_bytes)}>
          {texts.databaseMore}
        </Figure>
      </dl>
      <Days days={found.messages_per_day} />
      {found.top_channels.length > 0 && (
        <section class="setting-group" aria-labelledby="statistics-top">
          <h2 id="statistics-top">{texts.top}</h2>
          <ol class="statistics-top">
            {found.top_channels.map(({ channel, count }) => (
              <li key={channel}>
                <bdi>{nameOf(channel)}</bdi>
                <span class="tabular-numbers">{texts.count(count)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <p class="hint">{texts.utc}</p>
    </>
  )
}

function Figure({ name, value, children }: { name: string; value: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b class="tabular-numbers">{value}</b>
        <span class="hint">{children}</span>
      </dd>
    </div>
  )
}

type Day = StatsPayload['messages_per_day'][number]

/** A bar for each day. Its name is a sentence; the numbers are in the table. */
function Days({ days }: { days: Day[] }) {
  const texts = strings.statistics
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const top = days.reduce<Day | undefined>(
    (most, one) => (one.count > (most?.count ?? 0) ? one : most),
    undefined,
  )
  return (
    <section class="setting-group" aria-labelledby="statistics-days">
      <h2 id="statistics-days">{texts.perDay}</h2>
      <p>{top ? texts.chart(total, top.count, nameOfDay(top)) : texts.quiet}</p>
      {top && (
        <>
          <div class="statistics-chart" aria-hidden="true">
            {days.map(one => (
              <div key={one.day} title={`${nameOfDay(one)}: ${texts.count(one.count)}`}>
                <div style={{ 'block-size': `${(100 * one.count) / top.count}%` }} />
              </div>
            ))}
          </div>
          <details>
            <summary>{texts.asTable}</summary>
            <table class="admin-table">
              <thead>
                <tr>
                  <th scope="col">{texts.day}</th>
                  <th scope="col" class="is-number">
                    {texts.messages}
                  </th>
                </tr>
              </thead>
              <tbody>
                {days.toReversed().map(one => (
                  <tr key={one.day}>
                    <th scope="row">{nameOfDay(one)}</th>
                    <td class="is-number tabular-numbers">{texts.count(one.count)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  )
}

/** Noon, so that the day is the same in most time zones. */
const nameOfDay = ({ day }: Day) => strings.date(Date.parse(`${day}T12:00:00Z`) / 1000)

/** Inside a sentence; German nouns keep their capitals. */
const continued = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
