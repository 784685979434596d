import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { UNREADABLE } from '../../store/messages/items.ts'
import { row } from '../../store/messages/rows.fixture.ts'
import { onReport } from '../../store/reports.ts'
import { checkedList, checkedRows } from './checked-rows.ts'
import { Failure } from './failure.ts'

describe('rows of the server', () => {
  let reported: string[]
  beforeEach(() => {
    reported = []
    onReport(({ what }) => reported.push(what))
  })
  after(() => onReport(() => {}))
  const forged = (id: number, fields: object) => ({ ...row(id), ...fields }) as MessagePayload

  it('are returned as they are if all are well-formed', () => {
    const rows = [row(1), row(2)]
    expect(checkedRows(rows)).to.equal(rows)
    expect(reported).to.deep.equal([])
  })

  it('keep their place if their content is malformed, and are reported', () => {
    for (const fields of [{ content: { text: 'x' } }, { sender: 7 }, { reactions: [] }, { mentions: {} }]) {
      const checked = checkedRows([row(1), forged(2, fields), row(3)])
      expect(checked.map(one => one.id)).to.deep.equal([1, 2, 3])
      expect(checked[1]).to.include({ content: null, sender: '', content_type: UNREADABLE })
      expect(checked[0]).to.deep.equal(row(1))
    }
    expect(new Set(reported)).to.deep.equal(new Set(['malformed-response']))
  })

  it('are dropped without a place in the channel', () => {
    const rows = [forged(1, { id: null }), forged(2, { ts: 'now' }), null, 'x'] as MessagePayload[]
    expect(checkedRows([...rows, row(5)]).map(one => one.id)).to.deep.equal([5])
  })

  it('are a failed request if there is no list', () => {
    for (const payload of [{}, null, 'x', 7]) {
      expect(() => checkedRows(payload as MessagePayload[])).to.throw(Failure)
      expect(() => checkedList(payload as string[])).to.throw(Failure)
    }
  })
})
