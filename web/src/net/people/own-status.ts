/** The viewer's own status (interface 15.2). */
import type { PersonStatus } from '#shared/domain/payloads/people.ts'
import { changePeople, peekPerson } from '../../store/people/people.ts'
import { viewer } from '../../store/store.ts'
import { postJson, request } from '../requests/endpoints.ts'

export async function setStatus(status: PersonStatus) {
  const { emoji, text, until, quiet } = status
  await postJson(
    '/status',
    { ...(emoji && { emoji }), ...(text && { text }), ...(until !== null && { until }), quiet },
    { method: 'PUT' },
  )
  show(status)
}

export async function clearStatus() {
  await request('/status', { method: 'DELETE' })
  show(null)
}

/** Before the frame of the server. */
function show(status: PersonStatus | null) {
  const person = peekPerson(viewer)
  if (person) changePeople([{ ...person, status }], [])
}
