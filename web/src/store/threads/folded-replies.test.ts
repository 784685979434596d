import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ShownRow } from '../messages/items.ts'
import type { Pending } from '../messages/pending.ts'
import { row } from '../messages/rows.fixture.ts'
import { withoutFolded } from './folded-replies.ts'

const shown = (
  id: number,
  more: Partial<MessagePayload> = {},
  pending?: Pick<Pending, 'state'>,
): ShownRow => ({
  key: `m${id}`,
  row: row(id, { ts: id, sender: 'bob', ...more }),
  ...(pending && { pending: pending as Pending }),
})
const reply = (id: number, root: number, more: Partial<MessagePayload> = {}) =>
  shown(id, { reply_to_id: root, extra: { thread: root }, ...more })
const ids = (rows: ShownRow[], readUpTo = Infinity, editing?: number) =>
  withoutFolded(rows, { viewer: 'ada', readUpTo, editing }).map(one => one.row.id)

describe('folded replies', () => {
  it('are those that were read, with their files and tombstones', () => {
    const rows = [
      shown(1),
      reply(2, 1),
      reply(3, 1, { extra: { thread: 1, part: 2 } }),
      shown(4),
      reply(5, 1, { deleted: 1 }),
      reply(6, 4, { sender: 'ada' }),
    ]
    expect(ids(rows)).to.deep.equal([1, 4])
  })

  it('are not those of others that are new', () => {
    expect(ids([shown(1), reply(2, 1), reply(3, 1), reply(4, 1, { sender: 'ada' })], 2)).to.deep.equal([1, 3])
  })

  it('are not those whose root is not shown, nor one that is being edited', () => {
    expect(ids([reply(2, 1), shown(3), reply(4, 3)])).to.deep.equal([2, 3])
    expect(ids([shown(1), reply(2, 1), reply(3, 1)], Infinity, 3)).to.deep.equal([1, 3])
  })

  it('are those on their way, and not those that failed', () => {
    const own = (id: number, state: Pending['state']) =>
      shown(id, { sender: 'ada', reply_to_id: 2 }, { state })
    const rows = [shown(1), reply(2, 1), own(-1, 'sending'), own(-2, 'failed')]
    expect(ids(rows)).to.deep.equal([1, -2])
    expect(ids([own(-1, 'sending')]), 'the thread is not shown').to.deep.equal([-1])
  })
})
