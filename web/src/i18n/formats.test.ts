import { expect } from 'chai'
import { usualHours } from './formats.ts'

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
