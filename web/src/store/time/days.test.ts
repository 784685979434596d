import { expect } from 'chai'
import { startOfDay } from './days.ts'

describe('days by the clock of this device', () => {
  const midnight = (year: number, month: number, day: number) =>
    new Date(year, month - 1, day).getTime() / 1_000

  it('begin at midnight, also when the clocks change in between', () => {
    expect(startOfDay(0, new Date(2026, 2, 30, 14, 5))).to.equal(midnight(2026, 3, 30))
    expect(startOfDay(1, new Date(2026, 2, 30, 0, 0, 1))).to.equal(midnight(2026, 3, 29))
    expect(startOfDay(7, new Date(2026, 2, 30, 23, 59))).to.equal(midnight(2026, 3, 23))
    expect(startOfDay(7, new Date(2026, 0, 3))).to.equal(midnight(2025, 12, 27))
  })
})
