import { expect } from 'chai'
import { fieldValue, mornings, remindTimes } from './remind-times.ts'

describe('the times offered for reminders', () => {
  const shown = (times: { name: string; ts: number }[]) => times.map(({ name, ts }) => [name, fieldValue(ts)])

  it('are minutes and hours from now, and two mornings', () => {
    expect(shown(remindTimes(new Date(2026, 2, 4, 9, 54)))).to.deep.equal([
      ['twentyMinutes', '2026-03-04T10:14'],
      ['hour', '2026-03-04T10:54'],
      ['threeHours', '2026-03-04T12:54'],
      ['tomorrow', '2026-03-05T09:00'],
      ['monday', '2026-03-09T09:00'],
    ])
  })

  it('name a morning once, and on a Monday the next one', () => {
    expect(shown(mornings(new Date(2026, 2, 8, 20)))).to.deep.equal([['tomorrow', '2026-03-09T09:00']])
    expect(shown(mornings(new Date(2026, 2, 9, 8)))).to.deep.equal([
      ['tomorrow', '2026-03-10T09:00'],
      ['monday', '2026-03-16T09:00'],
    ])
  })
})
