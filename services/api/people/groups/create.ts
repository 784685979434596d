import { currentNames } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { checkAdmin, checkHandle, checkSize, lockGroups } from './locked-group.ts'
import { countGroups, insertGroup, insertMembers, readGroups } from './queries.ts'

const MOST_GROUPS = 200

export interface GroupDraft {
  handle: string
  name: string
  members: string[]
  clientId: string | undefined
}

/** By administrators. All members must be active people. */
export function createGroup(stores: Stores, actor: Actor, draft: GroupDraft): Promise<Made> {
  const { handle, name } = draft
  return madeOnce(stores.db, actor.actor, '/groups', draft.clientId, async keep => {
    const body = await runTransaction(stores, 'changeGroup', {}, async tx => {
      const locked = await lockGroups(tx, actor.actor, await currentNames(tx, draft.members))
      checkAdmin(locked)
      await checkHandle(tx, handle, null)
      if ((await countGroups(tx)) >= MOST_GROUPS) throw errors.invalid(`at most ${MOST_GROUPS} groups`)
      const id = await insertGroup(tx, { handle, name, maker: actor.actor, now: stores.clock.now() })
      const members = await insertMembers(tx, id, locked.people)
      await checkSize(tx, id)
      await insertAuditEntry(tx, {
        ...actor,
        action: 'group.created',
        target: handle,
        detail: { name, members },
      })
      const [made] = (await readGroups(tx, actor.actor, handle)) as [GroupPayload]
      await keep(tx, { status: 201, body: made })
      return made
    })
    return { status: 201, body }
  })
}
