import { expect } from 'chai'
import { changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import {
  detachedWindow,
  emptyWindow,
  joined,
  type MessageWindow,
  mergeRows,
  newestPage,
  type ReconciledRows,
  reloaded as reloadedWith,
  shortened,
  split,
  trimmed,
  withNewer,
  withOlder,
  withFrame as withReconciled,
} from './messages.ts'
import { row, rows } from './rows.fixture.ts'

const withFrame = (window: MessageWindow, rows: MessagePayload[], cursor?: number) =>
  withReconciled(window, rows as ReconciledRows, cursor)
const reloaded = (window: MessageWindow, rows: MessagePayload[], limit: number, since: number) =>
  reloadedWith(window, rows as ReconciledRows, limit, since)
const ids = (window: { rows: { id: number }[] }) => window.rows.map(one => one.id)

describe('the rows of a channel in a tab', () => {
  it('come in order of time whatever order they arrive in, and never twice', () => {
    const window = withFrame(newestPage(rows(3, 5), 60), [row(7), row(6), row(5)])
    expect(ids(window)).to.deep.equal([3, 4, 5, 6, 7])
  })

  it('keep the version that changed last, also when an older version arrives after it', () => {
    const edited = row(4, { content: 'better', edited: 1, edited_ts: 9 })
    const window = withFrame(withFrame(newestPage(rows(3, 5), 60), [edited]), [row(4)])
    expect(window.rows[1]!.content).to.equal('better')
  })

  it('keep the identity of unchanged objects, so that their rows are not rendered again', () => {
    const before = rows(1, 3)
    expect(mergeRows(before, rows(1, 3))).to.equal(before)
    const after = mergeRows(before, [row(2, { reactions: '{"heart":["bob"]}', reactions_ts: 8 })])
    expect(after[0]).to.equal(before[0])
    expect(after[1]).to.not.equal(before[1])
  })

  it('have the greatest of the four times as their cursor', () => {
    expect(changeTime(row(1, { edited_ts: 5, deleted_ts: 4, reactions_ts: 7 }))).to.equal(7)
    const window = newestPage([row(1), row(2, { reactions_ts: 11 })], 60)
    expect(window.cursor).to.equal(11)
    expect(withFrame(window, [row(3)], 12.5).cursor).to.equal(12.5)
  })

  it('take everything into a channel that was empty', () => {
    expect(ids(withFrame(newestPage([], 60), rows(1, 2)))).to.deep.equal([1, 2])
  })

  it('are the same window when a frame says nothing new', () => {
    const window = newestPage(rows(1, 3), 60)
    expect(withFrame(window, rows(2, 3))).to.equal(window)
  })
})

describe('a change to a row that is not loaded', () => {
  const page = newestPage(rows(10, 12), 3)
  const edited = row(5, { content: 'new words', edited: 1, edited_ts: 20 })

  it('leaves no gap in the history', () => {
    expect(ids(withFrame(page, [edited]))).to.deep.equal([10, 11, 12])
  })

  it('moves the cursor all the same', () => {
    expect(withFrame(page, [edited]).cursor).to.equal(20)
  })

  it('is not lost when the page that was read just before it arrives just after it', () => {
    const window = withOlder(withFrame(page, [edited]), rows(4, 9), 6)
    expect(ids(window)).to.deep.equal([4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(window.rows[1]!.content).to.equal('new words')
  })
})

describe('tombstones', () => {
  it('take the place of the message', () => {
    const gone = row(2, { deleted: 1, deleted_ts: 9, content: null })
    expect(withFrame(newestPage(rows(1, 3), 60), [gone]).rows[1]).to.deep.equal(gone)
  })

  it('of a removed account keep the place of the message, even without a time of their own', () => {
    const bare = row(2, { ts: 0, sender: 'Deleted User', deleted: 1, deleted_ts: 9, content: null })
    const window = withFrame(newestPage(rows(1, 3), 60), [bare])
    expect(ids(window)).to.deep.equal([1, 2, 3])
    expect(window.rows[1]!.deleted).to.equal(1)
  })

  it('of messages that were never here show nothing', () => {
    const bare = row(9, { ts: 2.5, sender: 'Deleted User', deleted: 1, deleted_ts: 9, content: null })
    expect(ids(withFrame(newestPage(rows(1, 3), 60), [bare]))).to.deep.equal([1, 2, 3])
  })
})

describe('pages', () => {
  it('shorter than asked for are the last of the history', () => {
    expect(newestPage(rows(1, 3), 60).complete).to.equal(true)
    expect(newestPage(rows(1, 60), 60).complete).to.equal(false)
    expect(withOlder(newestPage(rows(10, 12), 3), rows(7, 9), 3).complete).to.equal(false)
    expect(withOlder(newestPage(rows(10, 12), 3), rows(8, 9), 3).complete).to.equal(true)
  })

  it('can be dropped from the old end', () => {
    const window = trimmed(newestPage(rows(1, 10), 60), 4)
    expect(ids(window)).to.deep.equal([7, 8, 9, 10])
    expect(window.complete).to.equal(false)
  })
})

describe('a page of the newest rows, requested while frames come', () => {
  const edited = row(2, { content: 'better', edited: 1, edited_ts: 5 })

  it('takes away nothing that is newer, in a channel that it fills', () => {
    const known = withFrame(newestPage(rows(1, 3), 60), [row(4), edited])
    const window = reloaded(known, rows(1, 3), 60, 3)
    expect(ids(window)).to.deep.equal([1, 2, 3, 4])
    expect(window.rows[1]!.content).to.equal('better')
    expect(window).to.include({ cursor: 5, complete: true, isLive: true })
    expect(ids(reloaded(withFrame(emptyWindow, [row(4)]), [], 60, 0))).to.deep.equal([4])
  })

  it('takes away what is in the channel no longer', () => {
    expect(ids(reloaded(newestPage(rows(1, 5), 60), [row(1), row(5)], 60, 5))).to.deep.equal([1, 5])
  })

  it('brings rows whose changes came before them', () => {
    const known = withFrame(newestPage(rows(3, 5), 3), [edited])
    const window = reloaded(known, rows(2, 5), 4, 5)
    expect(ids(window)).to.deep.equal([2, 3, 4, 5])
    expect(window.rows[0]!.content).to.equal('better')
  })

  it('replaces rows that end before it', () => {
    expect(ids(reloaded(newestPage(rows(1, 3), 3), rows(7, 9), 3, 3))).to.deep.equal([7, 8, 9])
  })
})

describe('a list that grows long', () => {
  it('is split into a history window and the newest rows, and merges again', () => {
    expect(split(newestPage(rows(1, 10), 10), 10, 6, 3)).to.equal(undefined)
    const { history, live } = split(newestPage(rows(1, 11), 11), 10, 6, 3)!
    expect([ids(history), ids(live)]).to.deep.equal([rows(1, 6).map(one => one.id), [9, 10, 11]])
    expect(ids(joined(withNewer(history, rows(6, 9)), live)!)).to.deep.equal(rows(1, 11).map(one => one.id))
  })

  it('drops rows at the end opposite to its growth', () => {
    expect(ids(shortened(detachedWindow(rows(1, 5)), 3, 'older'))).to.deep.equal([1, 2, 3])
    expect(ids(shortened(detachedWindow(rows(1, 5)), 3, 'newer'))).to.deep.equal([3, 4, 5])
  })
})

describe('a detached window', () => {
  it('takes changes to its rows but no new rows, which would leave a gap', () => {
    const window = withFrame(detachedWindow(rows(3, 5)), [
      row(99),
      row(4, { content: 'x', edited: 1, edited_ts: 100 }),
    ])
    expect(ids(window)).to.deep.equal([3, 4, 5])
    expect(window.rows[1]!.content).to.equal('x')
  })

  it('merges with the live rows once it reaches them', () => {
    const live = newestPage(rows(10, 12), 3)
    expect(joined(detachedWindow(rows(3, 5)), live)).to.equal(undefined)
    const whole = joined(withNewer(detachedWindow(rows(3, 5)), rows(6, 10)), live)!
    expect(ids(whole)).to.deep.equal([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(whole.isLive).to.equal(true)
  })

  it('meets nothing in an empty channel', () => {
    expect(joined(emptyWindow, newestPage([], 60))).to.equal(undefined)
  })
})
