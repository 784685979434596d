import { expect } from 'chai'
import { lateTimeIn } from './time-there.ts'

describe('the time of a colleague in another zone', () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  // The language of the page.
  before(() => Object.assign(globalThis, { document: { documentElement: { lang: 'en-GB' } } }))
  after(() => Reflect.deleteProperty(globalThis, 'document'))

  it('is shown at night, in the evening and at weekends there', () => {
    // A Wednesday, 12:00 UTC.
    const noon = new Date('2026-11-25T12:00:00Z')
    const [far, near] = ['Pacific/Auckland', 'America/New_York']
    expect(lateTimeIn(far, noon)).to.equal('01:00')
    expect(lateTimeIn('Asia/Tokyo', noon)).to.equal('21:00')
    expect(lateTimeIn(near, new Date('2026-11-25T15:00:00Z'))).to.equal(undefined)
    expect(lateTimeIn(near, new Date('2026-11-28T17:00:00Z'))).to.equal('12:00')
  })

  it('is not shown in the own zone, nor in one that the browser does not know', () => {
    expect(lateTimeIn(here, new Date('2026-11-25T03:00:00Z'))).to.equal(undefined)
    expect(lateTimeIn('Mars/Olympus')).to.equal(undefined)
  })
})
