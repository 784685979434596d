import { useId } from 'preact/hooks'
import type { HookCallPayload } from '#shared/domain/payloads/hooks.ts'
import { useRefresh } from '../../common/use-refresh.ts'
import { strings } from '../../i18n/i18n.ts'
import { callsOfHook } from '../../net/requests/hooks.ts'
import { useList } from './use-list.ts'

/** Between two readings, ms: most calls come from elsewhere. */
const INTERVAL = 15_000

/** The last requests to the address of a hook. `changes`: read again after each. */
export function LastCalls({ id, changes }: { id: number; changes: number }) {
  const { items, hasFailed, reload } = useList([id, changes], () => callsOfHook(id))
  useRefresh(true, INTERVAL, reload)
  const heading = useId()
  const texts = strings.hooks
  return (
    <section class="hook-part" aria-labelledby={heading}>
      <span class="label" id={heading}>
        {texts.calls}
      </span>
      {hasFailed && <p class="hint">{texts.callsNotLoaded}</p>}
      {items?.length === 0 && <p class="hint">{texts.noCalls}</p>}
      {items && items.length > 0 && (
        <ol class="hook-calls">
          {items.map((call, at) => (
            <Call key={`${call.ts} ${at}`} call={call} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Call({ call: { ts, error, shape, ignored, test } }: { call: HookCallPayload }) {
  const texts = strings.hooks
  return (
    <li>
      <time class="tabular-numbers" title={strings.fullTime(ts)}>
        {texts.called(ts)}
      </time>
      {error === null ? (
        <span>{ignored ? texts.leftOut : texts.accepted}</span>
      ) : (
        <span class="hook-refused">
          {texts.refusedWith} <code>{error}</code>
          <span class="hint admin-note">{texts.errors[error]}</span>
        </span>
      )}
      <span class="hint">{test ? texts.test : shape}</span>
    </li>
  )
}
