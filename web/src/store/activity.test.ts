import { expect } from 'chai'
import type { InboxItem } from '#shared/domain/payloads/inbox.ts'
import { activityRows, itemOfRow, withFirstPage } from './activity.ts'

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

const reply = (id: number, who: string, root: number, read = true): InboxItem => ({
  id: String(id),
  kind: 'reply',
  channel: 'general',
  message_id: id,
  root_id: root,
  actors: [who],
  count: 1,
  content: `reply ${id}`,
  ts: id,
  read,
})

describe('rows of Activity', () => {
  it('join the replies of a thread in the place of the newest', () => {
    const mention: InboxItem = { ...reply(8, 'kim', 1), id: 'm8', kind: 'mention' }
    const replies = [reply(7, 'kim', 1), reply(6, 'tomasz', 1), reply(5, 'kim', 2)]
    const rows = activityRows([reply(9, 'tomasz', 1), mention, ...replies])
    expect(rows.map(row => row.items.map(({ id }) => id))).to.deep.equal([['9', '7', '6'], ['m8'], ['5']])
    expect(rows.map(itemOfRow)[1]).to.equal(mention)
  })

  it('lead to the oldest unread reply, and show the newest', () => {
    const items = [reply(9, 'tomasz', 1, false), reply(8, 'kim', 1, false), reply(7, 'ada', 1)]
    const [row] = activityRows(items).map(itemOfRow)
    expect(row).to.include({ id: '9', ts: 9, content: 'reply 9', message_id: 8, read: false, count: 3 })
    expect(row!.actors).to.deep.equal(['tomasz'])
  })
})
