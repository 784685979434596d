/** The rights of each role (interface 16.3). A role is no key to content: it opens no DM and no private channel. */

/** From the highest to the lowest. */
export const ROLES = ['owner', 'admin', 'member', 'guest'] as const
export type Role = (typeof ROLES)[number]

/** `pending` waits for approval; both `pending` and `deactivated` accounts cannot sign in. */
export const ACCOUNT_STATES = ['active', 'pending', 'deactivated'] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]
export const ACCOUNT_KINDS = ['person', 'bot'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** Value of the settings `who_…`: `admins` includes owners, `members` everybody but guests. */
export const GROUPS = ['admins', 'members'] as const
export type Group = (typeof GROUPS)[number]

/** The settings that decide about rights. */
export interface RightsSettings {
  who_invites: Group
  who_creates_channels: Group
  who_mentions_everyone: Group
  who_adds_emoji: Group
  who_makes_tokens: Group
  who_makes_bots: Group
  who_makes_hooks: Group
}

/** The words of `may` in GET /me. */
export const RIGHTS = [
  'invite',
  'create_channels',
  'mention_everyone',
  'add_emoji',
  'make_tokens',
  'make_bots',
  'make_hooks',
  'administer',
  'own',
] as const
export type Right = (typeof RIGHTS)[number]

/** Ways to get an account (interface 16.3). */
export const SIGNUP_MODES = ['open', 'invite', 'approval', 'closed'] as const
export type SignupMode = (typeof SIGNUP_MODES)[number]

/** Admin or owner. */
export const isAdmin = (role: Role): boolean => role === 'owner' || role === 'admin'

export function isInGroup(role: Role, group: Group): boolean {
  return isAdmin(role) || (group === 'members' && role === 'member')
}

export function hasRight(role: Role, right: Right, settings: RightsSettings): boolean {
  switch (right) {
    case 'invite':
      return isInGroup(role, settings.who_invites)
    case 'create_channels':
      return isInGroup(role, settings.who_creates_channels)
    case 'mention_everyone':
      return isInGroup(role, settings.who_mentions_everyone)
    case 'add_emoji':
      return isInGroup(role, settings.who_adds_emoji)
    case 'make_tokens':
      return isInGroup(role, settings.who_makes_tokens)
    case 'make_bots':
      return isInGroup(role, settings.who_makes_bots)
    case 'make_hooks':
      return isInGroup(role, settings.who_makes_hooks)
    case 'administer':
      return isAdmin(role)
    case 'own':
      return role === 'owner'
  }
}

/** The rights that a role has now, in the order of `RIGHTS`. */
export const rightsOf = (role: Role, settings: RightsSettings): Right[] =>
  RIGHTS.filter(right => hasRight(role, right, settings))

/** Administrators act on lower roles, owners also on owners. */
export function mayActOn(actor: Role, target: Role): boolean {
  if (actor === 'owner') return true
  return actor === 'admin' && !isAdmin(target)
}

/** An admin sets `member` and `guest` only. */
export function maySetRole(actor: Role, from: Role, to: Role): boolean {
  return mayActOn(actor, from) && (actor === 'owner' || !isAdmin(to))
}
