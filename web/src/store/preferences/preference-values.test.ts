import { expect } from 'chai'
import {
  DEFAULTS,
  isMutedAt,
  readPreferences,
  tomorrowMorning,
  writtenPreferences,
} from './preference-values.ts'

describe('preferences of a device', () => {
  it('come back as they were chosen', () => {
    const chosen = {
      ...DEFAULTS,
      theme: 'dark',
      textSize: 17,
      volume: 0,
      everyMessageIn: ['general'],
      mutedUntil: 'forever',
    } as const
    expect(readPreferences(writtenPreferences({ ...chosen, everyMessageIn: ['general'] }))).to.deep.equal(
      chosen,
    )
  })

  it('are the defaults when nothing, nonsense or another type was stored', () => {
    for (const stored of [null, '', '{', 'null', '[]', '7', '"dark"'])
      expect(readPreferences(stored), String(stored)).to.deep.equal(DEFAULTS)
  })

  it('fall back to the default only for the values that are not understood', () => {
    const stored = JSON.stringify({
      theme: 'purple',
      textSize: 900,
      volume: 3,
      mutedUntil: 'later',
      everyMessageIn: [1],
      microphone: null,
      sounds: 'no',
      showCards: false,
      surprise: 1,
    })
    expect(readPreferences(stored)).to.deep.equal({ ...DEFAULTS, showCards: false })
  })

  it('are stored only where they differ from the defaults', () => {
    expect(writtenPreferences(DEFAULTS)).to.equal('{}')
    expect(writtenPreferences({ ...DEFAULTS, density: 'compact' })).to.equal('{"density":"compact"}')
  })
})

describe('muting', () => {
  it('ends at its time, or never', () => {
    expect(isMutedAt(null, 10)).to.equal(false)
    expect(isMutedAt(11, 10)).to.equal(true)
    expect(isMutedAt(10, 10)).to.equal(false)
    expect(isMutedAt('forever', Number.MAX_SAFE_INTEGER)).to.equal(true)
  })

  const ends = (now: Date) => {
    const morning = new Date(tomorrowMorning(now))
    return [morning.getFullYear(), morning.getMonth() + 1, morning.getDate(), morning.getHours()]
  }

  it('until tomorrow ends at eight in the morning of the next day, also over the end of a year', () => {
    expect(ends(new Date(2026, 11, 31, 23, 59))).to.deep.equal([2027, 1, 1, 8])
    expect(ends(new Date(2026, 1, 27, 4))).to.deep.equal([2026, 2, 28, 8])
  })

  it('until tomorrow ends on the coming morning for somebody who is still up at night', () => {
    expect(ends(new Date(2027, 0, 1, 3, 59))).to.deep.equal([2027, 1, 1, 8])
  })
})
