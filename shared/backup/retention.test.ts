import { expect } from 'chai'
import { folderNameOf } from './layout.ts'
import { superfluous, timeOf } from './retention.ts'

const DAY = 86_400
const NONE: ReadonlySet<string> = new Set()
const monday = Date.parse('2026-11-23T02:00:00Z') / 1000

describe('backups of the past', () => {
  it('are named by their time', () => {
    expect(folderNameOf(monday + 4.7)).to.equal('2026-11-23T02-00-04Z')
    expect(timeOf('2026-11-23T02-00-04Z')).to.equal(monday + 4)
  })

  it('are kept for seven days and four weeks, the newest of each', () => {
    const nightly = Array.from({ length: 60 }, (_, i) => folderNameOf(monday - i * DAY))
    const again = folderNameOf(monday - DAY - 3600)
    const names = [...nightly, again].toSorted().toReversed()
    const removed = superfluous(names, { daily: 7, weekly: 4 }, new Set(names))
    expect(removed).to.include(again)
    expect(names.filter(name => !removed.includes(name)).map(name => name.slice(0, 10))).to.deep.equal([
      ...['2026-11-23', '2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17'],
      '2026-11-15',
      '2026-11-08',
    ])
  })

  it('stay for a day if an operator or an upgrade made them', () => {
    const keep = { daily: 1, weekly: 1 }
    const [night, upgrade, before] = [0, 600, 1200].map(ago => folderNameOf(monday - ago)) as [
      string,
      string,
      string,
    ]
    expect(superfluous([night, upgrade, before], keep, new Set([night, before]))).to.deep.equal([before])
    const next = folderNameOf(monday - 600 + DAY)
    expect(superfluous([next, night, upgrade], keep, new Set([next, night]))).to.deep.equal([night, upgrade])
  })

  it('are all removed but the newest where none is to be kept', () => {
    const names = [folderNameOf(monday), folderNameOf(monday - DAY)]
    expect(superfluous(names, { daily: 0, weekly: 0 }, NONE)).to.deep.equal([names[1]])
    expect(superfluous([], { daily: 7, weekly: 4 }, NONE)).to.deep.equal([])
  })
})
