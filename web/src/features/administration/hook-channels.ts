import type { ChannelId } from '#shared/domain/units.ts'

interface Known {
  isAdmin: boolean
  /** Public channels of the viewer. */
  joined: readonly ChannelId[]
  /** Public channels that the viewer manages. */
  managed: ReadonlySet<ChannelId>
  /** Private channels of the viewer. */
  inside: readonly ChannelId[]
}

/**
 * Channels into which the viewer may bring a hook (interface 19.4): public ones that they manage, administrators all, and
 * private ones of theirs. The present channel of a hook is among them.
 */
export function channelsForHook(
  { isAdmin, joined, managed, inside }: Known,
  present: ChannelId | '' = '',
): ChannelId[] {
  const allowed = [...joined.filter(channel => isAdmin || managed.has(channel)), ...inside]
  return present === '' || allowed.includes(present) ? allowed : [present, ...allowed]
}
