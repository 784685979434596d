import { expect } from 'chai'
import { commandIn, dayOf, durationOf, statusOf, timeAtStart } from './command-words.ts'

describe('the words of slash commands', () => {
  it('are a name and the rest', () => {
    expect(commandIn('/join #design')).to.deep.equal({ name: 'join', rest: '#design' })
    expect(commandIn('/LEAVE  ')).to.deep.equal({ name: 'leave', rest: '' })
    expect(commandIn('/me is\nhere ')).to.deep.equal({ name: 'me', rest: 'is\nhere' })
    for (const text of ['//x', '/', '/ x', ' /x', 'x /y', ''])
      expect(commandIn(text), text).to.equal(undefined)
  })

  it('are durations', () => {
    expect(durationOf('30m')).to.equal(1_800_000)
    expect(durationOf('1h')).to.equal(3_600_000)
    expect(durationOf('2days')).to.equal(172_800_000)
    for (const text of ['', '0m', '5', 'h', '1y', '12345m'])
      expect(durationOf(text), text).to.equal(undefined)
  })

  it('are times with what follows them', () => {
    const now = new Date(2026, 2, 28, 13, 30)
    const found = (text: string) => {
      const time = timeAtStart(text, now)
      return time && [time.at.getDate(), time.at.getHours(), time.at.getMinutes(), time.rest]
    }
    expect(found('20m')).to.deep.equal([28, 13, 50, ''])
    expect(found('14:00 see you')).to.deep.equal([28, 14, 0, 'see you'])
    expect(found('9:00 see you')).to.deep.equal([29, 9, 0, 'see you'])
    expect(found('tomorrow 8:15 a\nb')).to.deep.equal([29, 8, 15, 'a\nb'])
    expect(found('morgen  hallo')).to.deep.equal([29, 9, 0, 'hallo'])
    expect(found('2026-04-01 7:05')).to.deep.equal([1, 7, 5, ''])
    for (const text of ['', 'soon', '25:00 x', '2026-02-30']) expect(found(text), text).to.equal(undefined)
  })

  it('are days and statuses', () => {
    expect(dayOf('2026-03-01')?.getTime()).to.equal(new Date(2026, 2, 1).getTime())
    for (const text of ['2026-13-01', '2026-02-30', '0026-01-01', 'x'])
      expect(dayOf(text)).to.equal(undefined)
    expect(statusOf('🏝️ at the sea')).to.deep.equal({ emoji: '🏝️', text: 'at the sea' })
    expect(statusOf(':tada: done')).to.deep.equal({ name: 'tada', text: 'done' })
    expect(statusOf('12:30 lunch')).to.deep.equal({ text: '12:30 lunch' })
  })
})
