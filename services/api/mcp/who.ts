import * as v from 'valibot'
import { readPeople } from '#shared/collections/people.ts'
import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import * as f from '../middleware/fields.ts'
import { fitted } from './fitted.ts'
import { flag, list, MORE, object, text } from './schemas.ts'
import { tool } from './tool.ts'

const LONGEST_NAME = 200

const PERSON = object(
  { username: text('In mentions: @username.'), kind: text('person or bot'), role: text(), active: flag() },
  {
    display_name: text(),
    title: text('As the person describes their work.'),
    status: text('Written by the person.'),
    timezone: text(),
  },
)

export const who = tool(
  'who',
  {
    scope: 'read',
    title: 'Find people',
    description: 'People and bots of the office whose username, name or title contains a text.',
    inputSchema: object({ q: text(`At most ${LONGEST_NAME} characters; empty: everybody.`) }),
    outputSchema: object({ people: list(PERSON), more: MORE }),
    args: f.fields({
      q: v.pipe(
        f.exactText,
        v.check(q => f.isWithin(q, LONGEST_NAME), f.tooLong(LONGEST_NAME)),
      ),
    }),
  },
  async ({ stores, viewer }, { q }) => {
    const { people } = await readPeople(stores, viewer, undefined)
    const wanted = q.trim().replace(/^@/, '').toLowerCase()
    const found = people.filter(person => placeOf(person, wanted) >= 0)
    const sorted = found.sort(
      (a, b) =>
        Number(b.active) - Number(a.active) ||
        placeOf(a, wanted) - placeOf(b, wanted) ||
        (a.username < b.username ? -1 : 1),
    )
    return fitted(sorted.map(shownPerson), (some, more) => ({ people: some, more }))
  },
)

/** Names that begin with the text come first; −1 for none that contains it. */
function placeOf({ username, display_name, title }: PersonPayload, wanted: string): number {
  const places = [username, display_name, title].map(name => name?.toLowerCase().indexOf(wanted) ?? -1)
  const found = places.filter(place => place >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

function shownPerson({ username, kind, role, active, display_name, title, status, timezone }: PersonPayload) {
  const said = [status?.emoji, status?.text].filter(Boolean).join(' ')
  return {
    ...{ username, kind, role, active },
    ...(display_name !== null && { display_name }),
    ...(title !== null && { title }),
    ...(said !== '' && { status: said }),
    ...(timezone !== null && { timezone }),
  }
}
