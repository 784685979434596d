import { type Person, personOf } from '#shared/access/person.ts'
import { OPERATOR } from '#shared/audit/audit-log.ts'
import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import { hasRight } from '#shared/domain/roles.ts'
import { idFrom } from '#shared/domain/units.ts'
import { longestServingOwner } from '#shared/ownership/ownership.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { validityNow } from '../../services/api/account/invites/invitation.ts'
import { INVITATION, makeInvitation } from '../../services/api/account/invites/make-invitation.ts'
import { inviteById, invitesOf } from '../../services/api/account/invites/queries.ts'
import { revokeInvitation } from '../../services/api/account/invites/revoke-invitation.ts'
import { readFields } from '../../services/api/middleware/read-fields.ts'
import { type Command, fieldsOf, listed, listIn } from './command.ts'
import { addressOfBothy, reachOfLinks } from './environment.ts'
import { withStores } from './stores.ts'

const PAGE = 200

const invite: Command = {
  usage:
    'invite [--by USERNAME] [--role ROLE] [--channels A,B] [--expires-in-hours N] [--max-uses N] [--note TEXT]',
  options: ['by', 'role', 'channels', 'expires-in-hours', 'max-uses', 'note'],
  run: ({ options }) =>
    withStores(async stores => {
      const maker = await inviter(stores, options['by'])
      const body = fieldsOf({
        role: options['role'],
        channels: listIn(options['channels']),
        expires_in_hours: numberIn(options['expires-in-hours']),
        max_uses: numberIn(options['max-uses']),
        note: options['note'],
      })
      const made = (
        await makeInvitation(stores, maker.username, OPERATOR, readFields(INVITATION, body), urlOf)
      ).body as InvitePayload
      return {
        text: `${made.url}\n\nInvitation ${made.id} of ${made.created_by}: whoever opens this link joins as ${made.role}.${reachOfLinks()}`,
        json: { ...made },
      }
    }),
}

const invites: Command = {
  usage: 'invites [--valid] [--cursor CURSOR]',
  options: ['cursor'],
  flags: ['valid'],
  run: ({ options: { valid, cursor } }) =>
    withStores(async stores => {
      const page = { maker: undefined, validOnly: valid !== undefined, before: idIn(cursor), limit: PAGE }
      const invitations = await invitesOf(stores.db, page, validityNow(stores))
      const items = invitations.items.map(row => ({ ...row, url: urlOf(row.code) }))
      const next = invitations.more ? String(items.at(-1)!.id) : null
      const rows = items.map(({ id, role, created_by, uses, valid, url }) => [
        id,
        role,
        created_by,
        `${uses} uses`,
        valid ? 'valid' : 'not valid',
        url,
      ])
      return { ...listed(rows, next, 'There are no invitations.'), json: { items, next } }
    }),
}

const revoke: Command = {
  usage: 'revoke-invite <id>',
  run: ({ words: [text] }) =>
    withStores(async stores => {
      const id = idIn(text)
      const invitation = id === undefined ? undefined : await inviteById(stores.db, id, validityNow(stores))
      if (!invitation) throw new Error(`There is no invitation ${text}.`)
      await revokeInvitation(stores, OPERATOR, invitation)
      return { text: `Invitation ${invitation.id} is not valid any more.`, json: { id: invitation.id } }
    }),
}

export const inviteCommands: Record<string, Command> = { invite, invites, 'revoke-invite': revoke }

/** An invitation is somebody's, and valid while they may invite: by default the longest-serving owner's. */
async function inviter(stores: Stores, name: string | undefined): Promise<Person> {
  const by = name ?? (await longestServingOwner(stores.db))
  if (by === undefined)
    throw new Error(
      'The workspace has no owner yet: open the link of npm run admin -- owner-link first, or say who invites with --by.',
    )
  const person = await personOf(stores.db, by)
  if (!person) throw new Error(`There is no account named ${by}.`)
  if (person.state !== 'active' || !hasRight(person.role, 'invite', stores.settings.current))
    throw new Error(`${person.username} may not invite people.`)
  return person
}

const urlOf = (code: string) => new URL(`/invite/${code}`, addressOfBothy()).href

/** Text that is no number stays text, which the rules of the field refuse. */
function numberIn(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text
}

function idIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const id = idFrom(text)
  if (id === undefined) throw new Error(`${text} is no id of an invitation.`)
  return id
}
