import { expect } from 'chai'
import type { InboxItem } from '#shared/domain/payloads/inbox.ts'
import { newReminders } from './new-reminders.ts'

describe('reminders to notify of', () => {
  const item = (id: string, ts: number, more: Partial<InboxItem> = {}): InboxItem => ({
    ...{
      id,
      ts,
      kind: 'reminder',
      channel: 'general',
      message_id: 1,
      root_id: null,
      actors: ['bob'],
      count: 1,
    },
    ...{ content: 'the boiler', read: false },
    ...more,
  })
  const ids = (items: InboxItem[]) => items.map(({ id }) => id)

  it('are those since the first page, once, and again when they come again', () => {
    const fresh = newReminders()
    expect(fresh([item('r1', 1)], false)).to.deep.equal([])
    const page = [item('r2', 2), item('m1', 3, { kind: 'mention' }), item('s1', 4, { kind: 'failed' })]
    expect(ids(fresh([...page, item('r1', 1)], false))).to.deep.equal(['r2', 's1'])
    expect(fresh(page, false)).to.deep.equal([])
    expect(ids(fresh([item('r1', 9)], false))).to.deep.equal(['r1'])
  })

  it('of quiet times are those still unread at their end', () => {
    const fresh = newReminders()
    fresh([], true)
    expect(fresh([item('r1', 1), item('r2', 2)], true)).to.deep.equal([])
    expect(fresh([item('r1', 1), item('r2', 2), item('r3', 3)], true)).to.deep.equal([])
    const page = [item('r1', 1), item('r2', 2, { read: true })]
    expect(ids(fresh(page, false))).to.deep.equal(['r1'])
    expect(fresh(page, false)).to.deep.equal([])
  })
})
