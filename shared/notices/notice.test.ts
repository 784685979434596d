import { expect } from 'chai'
import { MOST_PARTICIPANTS } from '#shared/domain/channel-id.ts'
import { EVENT_NAMES } from '#shared/domain/payloads.ts'
import { fromText, MOST_BYTES, type Notice, toText } from './notice.ts'

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

  it('names the person of many ended sessions instead of the sessions', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `session-${i}`)
    const text = (count: number) =>
      toText({ collections: [], endedSessions: ids(count), endedSessionsOf: 'ada' })
    expect(fromText(text(12))).to.deep.equal({ collections: [], endedSessions: ids(12) })
    expect(fromText(text(13))).to.deep.equal({ collections: [], endedSessionsOf: 'ada' })
  })

  it('has at most four kilobytes, in the largest DM and with the longest names', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(32, 'x'))
    const largest: Notice = {
      ...{ collections: EVENT_NAMES, channel: ['dm', ...names(MOST_PARTICIPANTS)].join(':') },
      ...{ users: names(12), also: names(12), mentioned: names(12), endedSessions: names(12) },
      ...{ everybody: true, membership: true },
    }
    expect(fromText(toText(largest))).to.deep.equal(largest)
    expect(toText(largest).length).to.be.within(MOST_BYTES - 1_024, MOST_BYTES)
    const more = names(50_000)
    const wider = { users: more, also: more, mentioned: more, endedSessions: more, endedSessionsOf: more[0]! }
    expect(toText({ ...largest, ...wider }).length).to.be.below(MOST_BYTES)
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
