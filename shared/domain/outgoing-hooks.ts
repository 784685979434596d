/** Events and tries of outgoing hooks (interface 19.5). */
export const OUTGOING_EVENTS = [
  'message.created',
  'message.edited',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'channel.created',
  'channel.archived',
  'member.joined',
  'member.left',
  'person.created',
  'person.deactivated',
  'audit.entry',
] as const
export type OutgoingEventKind = (typeof OUTGOING_EVENTS)[number]

/** Events of administration; the others belong to a channel. */
export const EVENTS_FOR_ADMINS: readonly string[] = ['person.created', 'person.deactivated', 'audit.entry']

/** Tries of a delivery. */
export const MOST_TRIES = 8
