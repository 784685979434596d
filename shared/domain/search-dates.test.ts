import { expect } from 'chai'
import { isTimeZone, spanOf } from './search-dates.ts'

describe('days of search filters', () => {
  const at = (text: string) => Date.parse(text) / 1000
  /** A Sunday. */
  const now = at('2026-11-22T08:00:00Z')
  const span = (text: string, zone = 'UTC', when = now) => {
    const found = spanOf(text, when, zone)
    return found && [found.start, found.end].map(ts => new Date(ts * 1000).toISOString().slice(0, 16))
  }

  it('are a day, a month, a year', () => {
    expect(span('2026-03-01')).to.deep.equal(['2026-03-01T00:00', '2026-03-02T00:00'])
    expect(span('2026-12')).to.deep.equal(['2026-12-01T00:00', '2027-01-01T00:00'])
    expect(span('2024')).to.deep.equal(['2024-01-01T00:00', '2025-01-01T00:00'])
  })

  it('are relative to now', () => {
    expect(span('today')).to.deep.equal(['2026-11-22T00:00', '2026-11-23T00:00'])
    expect(span('Yesterday')).to.deep.equal(['2026-11-21T00:00', '2026-11-22T00:00'])
    expect(span('7d')).to.deep.equal(['2026-11-15T00:00', '2026-11-16T00:00'])
    expect(span('2w')).to.deep.equal(['2026-11-08T00:00', '2026-11-09T00:00'])
  })

  it('begin at midnight of the time zone, also when the clocks change', () => {
    expect(span('today', 'Pacific/Kiritimati')).to.deep.equal(['2026-11-21T10:00', '2026-11-22T10:00'])
    expect(span('2026-03-29', 'Europe/Berlin')).to.deep.equal(['2026-03-28T23:00', '2026-03-29T22:00'])
    expect(span('2026-10-25', 'Europe/Berlin')).to.deep.equal(['2026-10-24T22:00', '2026-10-25T23:00'])
  })

  it('begin after a midnight that the clocks skip', () => {
    expect(span('2018-11-04', 'America/Sao_Paulo')).to.deep.equal(['2018-11-04T03:00', '2018-11-05T02:00'])
    expect(span('2011-12-30', 'Pacific/Apia')).to.deep.equal(['2011-12-30T10:00', '2011-12-30T10:00'])
  })

  it('do not exist for other text', () => {
    for (const text of ['', 'soon', '2026-02-29', '2026-13', '2026-00', '2026-1-1', '0001', '1d2', '99999d'])
      expect(span(text), text).to.equal(undefined)
  })

  it('know the names of time zones', () => {
    expect(['UTC', 'Europe/Berlin'].map(isTimeZone)).to.deep.equal([true, true])
    expect(['', 'Mars/Olympus', '\0', 'x'.repeat(5_000)].map(isTimeZone)).to.deep.equal([
      false,
      false,
      false,
      false,
    ])
  })
})
