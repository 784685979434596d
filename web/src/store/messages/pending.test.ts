import { expect } from 'chai'
import { inOrder, isLate, isOld, matchPending, type Pending, verdictOf, waitAfter } from './pending.ts'
import { row } from './rows.fixture.ts'

function pending(key: string, text: string, more: Partial<Pending> = {}): Pending {
  return {
    key,
    channel: 'general',
    text,
    replyTo: null,
    row: row(-1, { content: text }),
    state: 'sending',
    after: 10,
    order: 0,
    tries: 1,
    startedAt: 0,
    ...more,
  }
}

const stored = (id: number, content: string) => row(id, { content })
const pairs = (of: Map<string, { id: number }>) => [...of].map(([key, one]) => [key, one.id])

describe('an own message that comes back', () => {
  it('is matched by its id when the response came first, whatever else looks like it', () => {
    const sent = pending('a', 'ok', { state: 'sent', id: 12 })
    expect(pairs(matchPending([sent], [stored(11, 'ok'), stored(12, 'ok')]))).to.deep.equal([['a', 12]])
  })

  it('is matched by its text when the frame came first, in the order of sending', () => {
    const found = matchPending(
      [pending('a', 'three'), pending('b', 'three')],
      [stored(11, 'three'), stored(12, 'three')],
    )
    expect(pairs(found)).to.deep.equal([
      ['a', 11],
      ['b', 12],
    ])
  })

  it('is never matched with an older row, a row of somebody else, or another reply', () => {
    const mine = [pending('a', 'ok')]
    expect(matchPending(mine, [stored(9, 'ok')]).size).to.equal(0)
    expect(matchPending(mine, [row(11, { content: 'ok', sender: 'bob' })]).size).to.equal(0)
    expect(matchPending(mine, [row(11, { content: 'ok', reply_to_id: 3 })]).size).to.equal(0)
  })

  it('is not matched before it was sent, but is when its response was lost', () => {
    const waiting = { state: 'waiting' } as const
    expect(matchPending([pending('a', 'ok', waiting)], [stored(11, 'ok')]).size).to.equal(1)
    expect(matchPending([pending('a', 'ok', { ...waiting, tries: 0 })], [stored(11, 'ok')]).size).to.equal(0)
  })

  it('is matched with an image where an image was sent, not with the text beside it', () => {
    const image = pending('a', '', { file: {} as File })
    const found = matchPending([image], [stored(11, ''), row(12, { content: '', filename: 'x.png' })])
    expect(pairs(found)).to.deep.equal([['a', 12]])
  })

  it('is matched with the same file alone, and not while its bytes are uploading', () => {
    const mine = pending('a', '', { file: new File(['abc'], 'plan.bin') })
    const row11 = (name: string, size: number, type = 'application/octet-stream') =>
      row(11, { content: '', filename: 'x', extra: { file: { name, size, type } } })
    expect(matchPending([mine], [row11('plan.bin', 3)]).size).to.equal(1)
    expect(matchPending([mine], [row11('other.bin', 3)]).size).to.equal(0)
    expect(matchPending([mine], [row11('plan.bin', 4)]).size).to.equal(0)
    expect(matchPending([{ ...mine, needsUpload: true }], [row11('plan.bin', 3)]).size).to.equal(0)
    const photo = pending('b', '', { file: new File(['with metadata'], 'a.jpg') })
    expect(matchPending([photo], [row11('a.jpg', 4, 'image/jpeg')]).size).to.equal(1)
  })
})

describe('a message that waits', () => {
  it('is tried again after 1, 2, 4 and 8 seconds, and never gives up', () => {
    expect([1, 2, 3, 4, 5, 50].map(attempts => waitAfter(attempts))).to.deep.equal([
      1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ])
  })

  it('waits as long as the server asks, within reason', () => {
    expect(waitAfter(1, 5_000)).to.equal(5_000)
    expect(waitAfter(1, 3_600_000)).to.equal(30_000)
  })

  it('is refused at once by a permanent error, and waits out a temporary one', () => {
    for (const status of [400, 403, 404, 413, 422])
      expect(verdictOf(status, 1), `${status}`).to.equal('refused')
    for (const status of [0, 429, 502, 503, 504]) expect(verdictOf(status, 99), `${status}`).to.equal('away')
    expect(verdictOf(401, 1)).to.equal('signed out')
  })

  it('does not block the others for ever when it makes the server fail', () => {
    expect([1, 2, 3, 4].map(attempts => verdictOf(500, attempts))).to.deep.equal([
      'away',
      'away',
      'away',
      'refused',
    ])
  })

  it('is marked late after a few attempts', () => {
    expect(isLate(pending('a', 'ok', { state: 'waiting', tries: 0 }))).to.equal(false)
    expect(isLate(pending('a', 'ok', { state: 'waiting', tries: 3 }))).to.equal(true)
    expect(isLate(pending('a', 'ok', { state: 'sending', tries: 3 }))).to.equal(false)
  })

  it('goes out by itself only as long as the server knows its id', () => {
    const hour = 3_600_000
    expect(isOld(pending('a', 'ok', { startedAt: hour }), 23 * hour)).to.equal(false)
    expect(isOld(pending('a', 'ok', { startedAt: hour }), 25 * hour)).to.equal(true)
  })

  it('keeps its place among those of other tabs', () => {
    const list = [
      pending('c', 'c', { order: 3 }),
      pending('a', 'a', { order: 1 }),
      pending('b', 'b', { order: 2 }),
    ]
    expect(inOrder(list).map(one => one.key)).to.deep.equal(['a', 'b', 'c'])
  })
})
