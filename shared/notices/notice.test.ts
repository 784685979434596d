import { expect } from 'chai'
import { EVENT_NAMES } from '#shared/domain/payloads.ts'
import { fromText, type Notice, toText } from './notice.ts'

describe('a notice', () => {
  const full: Notice = {
    collections: EVENT_NAMES,
    channel: 'private:7',
    users: ['ada'],
    also: ['bob'],
    mentioned: [],
    endedSessions: ['s1'],
    everybody: true,
    membership: true,
  }

  it('keeps all of its fields in text', () => {
    expect(fromText(toText(full))).to.deep.equal(full)
    expect(fromText(toText({ collections: [] }))).to.deep.equal({ collections: [] })
  })

  it('concerns a wider scope instead of many people', () => {
    const many = Array.from({ length: 13 }, (_, i) => `u${i}`)
    expect(fromText(toText({ collections: ['dms'], users: many, mentioned: many }))).to.deep.equal({
      collections: ['dms'],
      everybody: true,
    })
  })

  it('ignores fields and collections of a newer version', () => {
    const text = JSON.stringify({ collections: ['dms', 'holograms', 'toString'], urgent: { very: true } })
    expect(fromText(text)).to.deep.equal({ collections: ['dms'] })
  })

  it('is skipped if malformed', () => {
    const malformed: unknown[] = [
      ...[null, 7, 'dms', [], {}, { collections: 'dms' }, { collections: [7] }],
      ...[{ channel: 7 }, { users: 'ada' }, { users: [null] }, { mentioned: {} }].map(wrong => ({
        collections: ['dms'],
        ...wrong,
      })),
      ...[{ everybody: 'yes' }, { membership: 1 }, { endedSessions: [{}] }].map(wrong => ({
        collections: [],
        ...wrong,
      })),
    ]
    for (const wrong of malformed) {
      expect(fromText(JSON.stringify(wrong)), JSON.stringify(wrong)).to.equal(undefined)
    }
    for (const text of ['', '{', 'undefined']) expect(fromText(text), text).to.equal(undefined)
  })
})
