import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'

/** True unless all who read the target are known to read the source. `members`: of a private source. Pure. */
export function isWider(source: ChannelId, target: ChannelId, members: readonly Username[]): boolean {
  if (source === target) return false
  const from = parseChannelId(source)
  const to = parseChannelId(target)
  if (from?.kind !== 'dm' && from?.kind !== 'private') return false
  if (to?.kind !== 'dm') return true
  const readers: readonly Username[] = from.kind === 'dm' ? from.participants : members
  return !to.participants.every(name => readers.includes(name))
}
