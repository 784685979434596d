import { expect } from 'chai'
import { german } from './de/formats.ts'
import { english } from './en/formats.ts'
import { listedIn, usualHours } from './formats.ts'

const american = { locale: 'en-US', hour12: true } as Intl.ResolvedDateTimeFormatOptions

describe('the clock of a language', () => {
  it('is that of the machine, where the machine speaks it', () => {
    expect(usualHours('en', american, ['de'])).to.equal('h12')
    expect(usualHours('en', { ...american, hour12: false }, [])).to.equal('h23')
  })

  it('is that of the country which the browser names', () => {
    expect(usualHours('en', { ...american, locale: 'de-DE' }, ['de-DE', 'en-US'])).to.equal('h12')
    expect(usualHours('en', { ...american, locale: 'de-DE' }, ['de-DE', 'en-IE'])).to.equal('h23')
  })

  it('is its own for whoever reads it on a machine that speaks another', () => {
    expect(usualHours('de', american, ['en-US', 'en'])).to.equal('h23')
    expect(usualHours('en', { ...american, locale: 'ja-JP' }, ['ja'])).to.equal('h23')
  })
})

describe('times in words', () => {
  const now = new Date(2026, 10, 19, 15, 0)
  const at = (day: number, hour = 10, minute = 42) => new Date(2026, 10, day, hour, minute).getTime() / 1_000

  it('tell since when: the time, the weekday or the date', () => {
    expect(english.since(at(19), now)).to.equal('10:42')
    expect(english.since(at(18), now)).to.equal('yesterday')
    expect(english.since(at(16), now)).to.equal('Monday')
    expect(english.since(at(12), now)).to.equal('12 Nov')
    expect(german.since(at(18), now)).to.equal('gestern')
    expect(german.since(at(16), now)).to.equal('Montag')
  })

  it('stand at the end of a row: yesterday with the time, another year with the year', () => {
    expect(listedIn(english)(at(19), now)).to.equal('10:42')
    expect(listedIn(english)(at(18), now)).to.equal('Yesterday, 10:42')
    expect(listedIn(german)(at(18), now)).to.equal('Gestern, 10:42')
    expect(listedIn(english)(at(16), now)).to.equal('Monday')
    expect(listedIn(english)(at(12), now)).to.equal('12 Nov')
    expect(listedIn(english)(at(12) - 365 * 86_400, now)).to.equal('12 Nov 2025')
  })

  it('have date and seconds in full', () => {
    expect(english.fullTime(at(16) + 7)).to.equal('Monday, 16 November 2026, 10:42:07')
    expect(german.fullTime(at(16) + 7)).to.equal('Montag, 16. November 2026, 10:42:07')
  })
})
