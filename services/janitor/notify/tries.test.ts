import { expect } from 'chai'
import { outcomeOf } from './send-delivery.ts'
import { pauseAfter } from './tries.ts'

describe('tries of a delivery (interface 19.5)', () => {
  const replied = (status: number, headers = {}) => ({ status, headers, body: '', cut: false, ms: 1 })

  it('follow after pauses that grow to twelve hours, eight at most', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(tries => pauseAfter(tries, undefined, 0, 0.5))
    expect(pauses).to.deep.equal([5, 60, 300, 1_800, 7_200, 21_600, 43_200, undefined])
    expect(pauseAfter(2, undefined, 0, 0)).to.equal(54)
    expect(pauseAfter(2, undefined, 0, 1)).to.equal(66)
  })

  it('obey Retry-After in seconds or as a date, up to an hour', () => {
    expect(pauseAfter(1, '120', 0, 0.5)).to.equal(120)
    expect(pauseAfter(1, '2', 0, 0.5), 'shorter than usual').to.equal(5)
    expect(pauseAfter(1, '3601', 0, 0.5)).to.equal(5)
    expect(pauseAfter(1, new Date(700_000).toUTCString(), 100, 0.5)).to.equal(600)
    expect(pauseAfter(1, 'soon', 0, 0.5)).to.equal(5)
  })

  it('end with 2xx, with 410, and after the eighth', () => {
    expect(outcomeOf(replied(204), 1, 7, 100)).to.include({ state: 'sent', status: 204, attempt: 1, ms: 7 })
    expect(outcomeOf(replied(410), 1, 7, 100)).to.include({ state: 'gone', status: 410 })
    expect(outcomeOf(replied(302), 1, 7, 100)).to.include({ state: 'waiting', status: 302, error: 'status' })
    expect(outcomeOf({ error: 'refused_address' }, 8, 7, 100)).to.include({
      state: 'failed',
      status: null,
      error: 'refused_address',
    })
    expect(outcomeOf({ error: 'too_large' }, 1, 7, 100)).to.include({ state: 'failed', error: 'too_large' })
  })
})
