import { expect } from 'chai'
import { endOfDate, endOfDay } from './day-end.ts'

describe('the end of a day', () => {
  const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const end = (at: string, zone: string, days?: number) => iso(endOfDay(new Date(at), zone, days))

  it('is midnight in the time zone of the person', () => {
    expect(end('2026-11-22T17:40:00Z', 'Europe/Oslo')).to.equal('2026-11-22T23:00:00.000Z')
    expect(end('2026-11-22T23:30:00Z', 'Europe/Oslo')).to.equal('2026-11-23T23:00:00.000Z')
    expect(end('2026-11-22T17:40:00Z', 'Pacific/Auckland')).to.equal('2026-11-23T11:00:00.000Z')
    expect(end('2026-11-22T03:00:00Z', 'America/New_York')).to.equal('2026-11-22T05:00:00.000Z')
  })

  it('follows the clocks when they change in the night', () => {
    expect(end('2026-10-24T12:00:00Z', 'Europe/Berlin')).to.equal('2026-10-24T22:00:00.000Z')
    expect(end('2026-10-25T12:00:00Z', 'Europe/Berlin')).to.equal('2026-10-25T23:00:00.000Z')
  })

  it('can be that of a later day, and of a date', () => {
    expect(end('2026-12-31T12:00:00Z', 'UTC', 1)).to.equal('2027-01-02T00:00:00.000Z')
    expect(iso(endOfDate('2026-12-31', 'Asia/Tokyo'))).to.equal('2026-12-31T15:00:00.000Z')
  })
})
