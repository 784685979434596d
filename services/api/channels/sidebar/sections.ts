import { lockAccount } from '#shared/access/account-locks.ts'
import { raiseRevision } from '#shared/channels/sidebar-revision.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { deleteSection, hasSection, insertSection, moveSection, updateSection } from './queries.ts'

const MOST_SECTIONS = 30

export interface SectionChange {
  name?: string
  collapsed?: boolean
  /** The id of another section; null: last. */
  before?: number | null
}

export function makeSection(
  stores: Stores,
  viewer: Username,
  { name, collapsed = false, before = null }: SectionChange & { name: string },
  clientId: string | undefined,
): Promise<Made> {
  return madeOnce(stores.db, viewer, '/sections', clientId, keep =>
    runTransaction(stores, 'channelPrefs', { users: [viewer] }, async tx => {
      if (!(await lockAccount(tx, viewer))) throw errors.signedOut()
      if (before !== null && !(await hasSection(tx, viewer, before))) throw errors.notFound()
      const id = await insertSection(tx, viewer, name, collapsed, MOST_SECTIONS)
      if (id === undefined) throw errors.invalid(`at most ${MOST_SECTIONS} sections`)
      if (before !== null) await moveSection(tx, viewer, id, before)
      await raiseRevision(tx, viewer)
      const made = { status: 201, body: { id } }
      await keep(tx, made)
      return made
    }),
  )
}

export async function changeSection(
  stores: Stores,
  viewer: Username,
  id: number,
  { before, ...change }: SectionChange,
): Promise<void> {
  await runTransaction<typeof unchanged | undefined>(
    stores,
    'channelPrefs',
    { users: [viewer] },
    async tx => {
      if (!(await lockAccount(tx, viewer))) throw errors.signedOut()
      if (!(await hasSection(tx, viewer, id))) throw errors.notFound()
      if (before && !(await hasSection(tx, viewer, before))) throw errors.notFound()
      const isChanged = await updateSection(tx, viewer, id, change)
      if (before !== undefined) await moveSection(tx, viewer, id, before)
      if (!isChanged && before === undefined) return unchanged
      await raiseRevision(tx, viewer)
      return undefined
    },
  )
}

/** Its channels go to their usual place. */
export async function removeSection(stores: Stores, viewer: Username, id: number): Promise<void> {
  await runTransaction(stores, 'channelPrefs', { users: [viewer] }, async tx => {
    if (!(await lockAccount(tx, viewer))) throw errors.signedOut()
    if (!(await deleteSection(tx, viewer, id))) throw errors.notFound()
    await raiseRevision(tx, viewer)
  })
}
