import * as v from 'valibot'
import { peopleNamed, readPeople } from '#shared/collections/people.ts'
import { SlackCursorPayload, SlackUserPayload } from '#shared/domain/payloads/slack.ts'
import { cursorText } from '../middleware/paging.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { personSeen } from './lookup.ts'
import { argument, cursorIn, limitIn, method } from './method.ts'
import { userObject } from './objects.ts'
import { personWithEmail } from './queries.ts'

const MOST_PEOPLE = 1_000

const LIST = { members: v.array(SlackUserPayload), response_metadata: SlackCursorPayload }
const ONE = { user: SlackUserPayload }

/** Interface 19.8. */
export const peopleMethods = [
  ...method('users.list', { scope: 'read', answer: LIST }, async call => {
    const limit = limitIn(call.args, 200, MOST_PEOPLE)
    const after = cursorIn(call.args, v.string()) ?? ''
    const { people } = await readPeople(call.stores, call.viewer, undefined)
    const rest = people
      .filter(({ username }) => username > after)
      .sort((a, b) => (a.username < b.username ? -1 : 1))
    const page = rest.slice(0, limit)
    const last = rest.length > limit ? page.at(-1) : undefined
    return {
      members: page.map(userObject),
      response_metadata: { next_cursor: last ? cursorText(last.username) : '' },
    }
  }),

  ...method('users.info', { scope: 'read', answer: ONE }, async ({ stores, viewer, args }) => {
    const name = await personSeen(stores, viewer, argument(args, 'user') ?? '')
    const person = name && (await peopleNamed(stores.db, [name])).get(name)
    if (!person) throw new SlackError('user_not_found')
    return { user: userObject(person) }
  }),

  // Administrators alone see addresses.
  ...method(
    'users.lookupByEmail',
    { who: 'admin', scope: 'admin', within: 'nowhere', answer: ONE },
    async ({ stores: { db }, args }) => {
      const found = await personWithEmail(db, argument(args, 'email')?.trim() ?? '')
      const person = found && (await peopleNamed(db, [found.username])).get(found.username)
      if (!person) throw new SlackError('users_not_found')
      const user = userObject(person)
      return { user: { ...user, profile: { ...user.profile, email: found.email } } }
    },
  ),
]
