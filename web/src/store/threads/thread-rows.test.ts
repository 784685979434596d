import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import {
  hasNewReplyOf,
  MOST_THREAD_ROWS,
  newAfter,
  peopleOf,
  type Thread,
  withOlderRows,
  withOwnReply,
  withRows,
} from './thread-rows.ts'

const row = (id: number, changes: Partial<MessagePayload> = {}): MessagePayload =>
  ({
    id,
    ts: id,
    sender: 'bob',
    content: `text ${id}`,
    deleted: 0,
    edited_ts: null,
    deleted_ts: null,
    reactions_ts: null,
    extra: { thread: 1 },
    ...changes,
  }) as MessagePayload

const thread = (ids: number[], changes: Partial<Thread> = {}): Thread => ({
  id: 1,
  root: row(1, { extra: {} }),
  rows: ids.map(id => row(id)),
  more: false,
  following: true,
  last_read_id: 0,
  unread: 0,
  ...changes,
})
const ids = ({ rows }: Thread) => rows.map(one => one.id)

describe('the rows of a thread', () => {
  it('take replies and newer versions of rows, and nothing of other threads', () => {
    const before = thread([2, 4])
    const after = withRows(before, [row(3), row(5, { extra: { thread: 9 } }), row(6, { extra: {} })])
    expect(ids(after)).to.deep.equal([2, 3, 4])
    const edited = row(4, { content: 'edited', edited_ts: 9 })
    expect(withRows(after, [edited]).rows.at(-1)).to.equal(edited)
    const current = withRows(after, [edited])
    expect(withRows(current, [row(4)]), 'an older version').to.equal(current)
    const gone = row(1, { deleted: 1, deleted_ts: 10, extra: {} })
    expect(withRows(before, [gone]).root).to.equal(gone)
  })

  it('tell how many people wrote in it, also those who came since, and the author of the root', () => {
    const before = thread([2, 4], {
      people: ['ada', 'bob', 'cleo'],
      root: row(1, { sender: 'ada', extra: {} }),
    })
    expect(peopleOf(before)).to.equal(3)
    expect(
      peopleOf(withRows(before, [row(5, { sender: 'dora' }), row(6, { sender: 'eve', deleted: 1 })])),
    ).to.equal(4)
    expect(peopleOf(thread([2])), 'of an older server').to.equal(1)
  })

  it('are followed once the viewer replies, and not because an older reply changes', () => {
    const left = thread([2, 4], { following: false })
    const own = (id: number, changes: Partial<MessagePayload> = {}) => row(id, { sender: 'ada', ...changes })
    expect(withOwnReply(left, [own(4, { reactions_ts: 9 })], 'ada').following).to.equal(false)
    expect(withOwnReply(left, [own(5, { deleted: 1 }), row(6)], 'ada').following).to.equal(false)
    expect(withOwnReply(left, [own(5, { extra: { thread: 9 } })], 'ada').following).to.equal(false)
    expect(withOwnReply(left, [own(5)], 'ada').following).to.equal(true)
  })

  it('are bounded, and older ones are loaded again', () => {
    const many = Array.from({ length: MOST_THREAD_ROWS + 5 }, (_, at) => row(at + 2))
    const after = withRows(thread([]), many)
    expect([after.rows.length, after.more, after.rows[0]?.id]).to.deep.equal([MOST_THREAD_ROWS, true, 7])
    expect(withRows(after, [row(3, { edited_ts: 9_999 })]), 'of a page that is not loaded').to.equal(after)
    const older = withOlderRows(after, { rows: [row(5), row(6), row(7)], more: false })
    expect(ids(older).slice(0, 3)).to.deep.equal([5, 6, 7])
  })

  it('are bounded while older pages are loaded, and take no newer rows after those that were dropped', () => {
    const rows = Array.from({ length: MOST_THREAD_ROWS }, (_, at) => row(at + 1_000))
    const before = { ...thread([]), rows, more: true }
    const page = { rows: [row(998), row(999)], more: true }
    const after = withOlderRows(before, page)
    expect([after.rows.length, ids(after)[0], ids(after).at(-1)]).to.deep.equal([
      MOST_THREAD_ROWS,
      998,
      1_597,
    ])
    expect([before.isCut, after.isCut, after.more]).to.deep.equal([undefined, true, true])
    expect(withRows(after, [row(9_000)]), 'a new reply').to.equal(after)
    const edited = row(1_597, { content: 'edited', edited_ts: 9_999 })
    expect(withRows(after, [edited]).rows.at(-1)).to.equal(edited)
    expect(withOlderRows(thread([3]), { rows: [row(2)], more: false }).isCut).to.equal(false)
  })

  it('return to the newest ones for a reply of the viewer, not for a change of one that was dropped', () => {
    const cut = thread([2, 4], { isCut: true, following: false })
    const own = (changes: Partial<MessagePayload>) => [row(9, { sender: 'ada', ...changes })]
    expect(hasNewReplyOf('ada', cut, own({}))).to.equal(true)
    expect(hasNewReplyOf('ada', cut, own({ reactions_ts: 20 }))).to.equal(false)
    expect(withOwnReply(cut, own({ edited_ts: 20 }), 'ada').following).to.equal(false)
    expect(hasNewReplyOf('ada', thread([2, 4]), own({ reactions_ts: 20 }))).to.equal(true)
  })

  it('are new from the first unread reply of others on', () => {
    expect(newAfter(thread([2, 3, 4]), 'ada')).to.equal(undefined)
    expect(newAfter(thread([2, 3, 4], { unread: 2 }), 'ada')).to.equal(2)
    expect(newAfter(thread([2, 3], { unread: 2 }), 'ada')).to.equal(0)
    const rows = [row(2), row(3, { sender: 'ada' }), row(4), row(5, { extra: { thread: 1, part: 2 } })]
    expect(newAfter(thread([], { rows, unread: 1 }), 'ada')).to.equal(3)
  })
})
