import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'

/** The end of a row of integrations: when it was used last. */
export function LastUse({ ts }: { ts: Seconds | null }) {
  const texts = strings.ownCommands
  return (
    <span class="hint integrations-end" title={ts === null ? undefined : strings.fullTime(ts)}>
      {ts !== null && <span class="integrations-end-label">{texts.lastUse} </span>}
      {texts.used(ts)}
    </span>
  )
}
