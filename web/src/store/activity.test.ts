import { expect } from 'chai'
import type { InboxItem } from '#shared/domain/payloads.ts'
import { withFirstPage } from './activity.ts'

const at = (...times: number[]) => times.map(ts => ({ id: `m${ts}`, ts, read: false }) as InboxItem)
const ids = ({ items }: { items: InboxItem[] }) => items.map(item => item.ts)

describe('pages of the inbox', () => {
  it('keep the older ones below a fresh first page', () => {
    const known = { items: at(9, 8, 7, 6, 5), next: '5' }
    expect(withFirstPage(known, at(10, 9, 8), '8')).to.deep.equal({ items: at(10, 9, 8, 7, 6, 5), next: '5' })
  })

  it('lose items that the fresh first page no longer lists', () => {
    expect(ids(withFirstPage({ items: at(9, 8, 7, 6), next: '6' }, at(9, 7), '7'))).to.deep.equal([9, 7, 6])
    expect(ids(withFirstPage({ items: at(9, 8), next: '8' }, at(9), null))).to.deep.equal([9])
  })

  it('begin with the first page', () => {
    expect(withFirstPage({ items: [], next: undefined }, at(3, 2), '2')).to.deep.equal({
      items: at(3, 2),
      next: '2',
    })
  })
})
