/** Which checks of “Ready for the office?” need a look now and did not when the owner last put the card away. */
import { type Persisted, persisted } from '../../store/persisted.ts'
import { viewer } from '../../store/store.ts'
import { type CheckId, checks } from './ready-checks.ts'

/** The stream may be opening while this is asked. */
const NOT_ASKED: CheckId[] = ['live']

const entry = () => persisted(`bothy ready ${viewer}`)

async function needingLook(): Promise<CheckId[]> {
  const all = await Promise.all(checks())
  return all.filter(({ id, state }) => state === 'look' && !NOT_ASKED.includes(id)).map(({ id }) => id)
}

/** Kept on this device. */
export const noteChecks = async () => keep(entry(), await needingLook())

/** True if a check has turned since `noteChecks`; what needs a look when this is first asked is noted alone. */
export async function hasTurned(): Promise<boolean> {
  const now = await needingLook()
  const text = entry().read()
  if (typeof text === 'string' && turned(text.split(' '), now)) return true
  keep(entry(), now)
  return false
}

export const turned = (before: readonly string[], now: readonly string[]) =>
  now.some(id => !before.includes(id))

const keep = (to: Persisted, ids: CheckId[]) => to.write(ids.join(' '))
