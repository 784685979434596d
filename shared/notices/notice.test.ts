import { expect } from 'chai'
import { MOST_PARTICIPANTS } from '#shared/domain/channel-id.ts'
import { EVENT_NAMES } from '#shared/domain/payloads/events.ts'
import { fromText, MOST_BYTES, type Notice, toText } from './notice.ts'

describe('a notice', () => {
  const full: Notice = {
    concerns: [
      { collections: EVENT_NAMES, channel: 'private:7', membership: true },
      { collections: ['mentions'], channel: 'private:7', users: ['ada'] },
      { collections: ['inbox'], channel: 'private:8', followersOf: 5 },
      { collections: ['sidebar'], everybody: true },
    ],
    endedSessions: ['s1'],
  }

  it('keeps all of its fields in text', () => {
    expect(fromText(toText(full))).to.deep.equal(full)
    expect(fromText(toText({ concerns: [] }))).to.deep.equal({ concerns: [] })
  })

  it('concerns everybody instead of many people', () => {
    const many = Array.from({ length: 13 }, (_, i) => `u${i}`)
    const text = toText({ concerns: [{ collections: ['dms'], users: many }] })
    expect(fromText(text)).to.deep.equal({ concerns: [{ collections: ['dms'], everybody: true }] })
  })

  it('names the person of many ended sessions instead of the sessions', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `session-${i}`)
    const text = (count: number) =>
      toText({ concerns: [], endedSessions: ids(count), endedSessionsOf: 'ada' })
    expect(fromText(text(12))).to.deep.equal({ concerns: [], endedSessions: ids(12) })
    expect(fromText(text(13))).to.deep.equal({ concerns: [], endedSessionsOf: 'ada' })
  })

  it('has at most four kilobytes, in the largest DM and with the longest names', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(32, 'x'))
    const channel = ['dm', ...names(MOST_PARTICIPANTS)].join(':')
    const withPeople = (count: number): Notice => ({
      concerns: [
        { collections: EVENT_NAMES, channel, users: names(count), membership: true },
        { collections: EVENT_NAMES, channel, users: names(count) },
        { collections: ['mentions'], channel, users: names(count) },
      ],
      endedSessions: names(count),
      endedSessionsOf: names(1)[0]!,
    })
    const { endedSessionsOf: _, ...largest } = withPeople(12)
    expect(fromText(toText(largest))).to.deep.equal(largest)
    expect(toText(largest).length).to.be.within(MOST_BYTES - 512, MOST_BYTES)
    expect(toText(withPeople(50_000)).length).to.be.below(MOST_BYTES)
  })

  it('ignores fields and collections of a newer version', () => {
    const concerns = [{ collections: ['dms', 'holograms', 'toString'], urgent: true }]
    const text = JSON.stringify({ concerns, urgent: { very: true } })
    expect(fromText(text)).to.deep.equal({ concerns: [{ collections: ['dms'] }] })
  })

  it('is skipped if malformed', () => {
    const collections = ['dms']
    const malformed: unknown[] = [
      ...[null, 7, 'dms', [], {}, { concerns: 'dms' }, { concerns: [7] }, { collections }],
      ...[{ in: 'general' }, { users: 'ada' }, { users: [null] }, { followersOf: '7' }].map(wrong => ({
        channels: ['general'],
        concerns: [{ collections, ...wrong }],
      })),
      ...[{ everybody: 'yes' }, { membership: 1 }, { collections: [7] }].map(wrong => ({
        concerns: [{ collections, ...wrong }],
      })),
      { concerns: [], endedSessions: [{}] },
    ]
    for (const wrong of malformed) {
      expect(fromText(JSON.stringify(wrong)), JSON.stringify(wrong)).to.equal(undefined)
    }
    for (const text of ['', '{', 'undefined']) expect(fromText(text), text).to.equal(undefined)
  })
})
