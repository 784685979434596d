import { expect } from 'chai'
import { cameraBitrate, gridOf, onStage } from './grid.ts'
import { Negotiation } from './negotiation.ts'
import { pathOf, restartsBy } from './path.ts'

describe('the grid of the stage', () => {
  const shape = (people: number, phone = false) => {
    const { columns, rows, shown, more } = gridOf(people, phone)
    return `${columns}x${rows} ${shown}${more ? `+${more}` : ''}`
  }

  it('is one full, two side by side, four in a square, nine in three rows', () => {
    expect([1, 2, 3, 4, 5, 9].map(people => shape(people))).to.deep.equal([
      '1x1 1',
      '2x1 2',
      '2x2 3',
      '2x2 4',
      '3x2 5',
      '3x3 9',
    ])
  })

  it('keeps the last place for the number of those who have none', () => {
    expect(shape(10)).to.equal('3x3 8+2')
    expect(shape(12)).to.equal('3x3 8+4')
  })

  it('is a column or pairs on a phone, the odd one above', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map(people => shape(people, true))).to.deep.equal([
      '1x1 1',
      '1x2 2',
      '2x2 3',
      '2x2 4',
      '2x3 5',
      '2x3 6',
      '2x3 5+2',
    ])
    expect([3, 4, 5].map(people => gridOf(people, true).firstIsWide)).to.deep.equal([true, false, true])
  })

  it('shows oneself and those who spoke last when not everybody has a place, in the order they came', () => {
    const people = ['ada', 'bob', 'cleo', 'dora', 'me']
    const spoke = new Map([
      ['dora', 20],
      ['bob', 10],
    ])
    expect(onStage(people, 'me', 3, spoke)).to.deep.equal(['bob', 'dora', 'me'])
    expect(onStage(people, 'me', 3, new Map())).to.deep.equal(['ada', 'bob', 'me'])
    expect(onStage(people, 'me', 5, spoke)).to.deep.equal(people)
  })

  it('gives each camera less of the uplink, the more it is sent to', () => {
    const rates = [2, 4, 9, 20].map(cameraBitrate)
    expect(rates).to.deep.equal([...rates].sort((a, b) => b - a))
    expect(new Set(rates).size).to.equal(4)
  })
})

describe('the way to somebody', () => {
  it('is worth no word at first, then connects, and after twenty seconds there is none', () => {
    expect([0, 2_999, 3_000, 19_999, 20_000].map(ms => pathOf(false, false, ms))).to.deep.equal([
      'new',
      'new',
      'connecting',
      'connecting',
      'none',
    ])
  })

  it('that was up and stutters is not lost yet', () => {
    expect([0, 1_499, 1_500, 20_000].map(ms => pathOf(false, true, ms))).to.deep.equal([
      'up',
      'up',
      'lost',
      'none',
    ])
    expect(pathOf(true, true, 0)).to.equal('up')
  })

  it('is looked for again soon, then ever more seldom, by the polite one a little later', () => {
    expect([0, 2_000, 6_000, 12_000, 20_000, 35_000, 50_000].map(ms => restartsBy(ms, false))).to.deep.equal([
      0, 1, 2, 3, 4, 5, 6,
    ])
    expect([2_000, 4_000, 8_000].map(ms => restartsBy(ms, true))).to.deep.equal([0, 1, 2])
  })
})

/** As an RTCPeerConnection, as far as offers and answers go. */
class FakeLine {
  signalingState: RTCSignalingState = 'stable'
  localDescription: RTCSessionDescription | null = null
  remoteDescription: RTCSessionDescription | null = null
  readonly candidates: string[] = []
  readonly name: string
  #made = 0

  constructor(name: string) {
    this.name = name
  }

  async setLocalDescription() {
    const type = this.signalingState === 'have-remote-offer' ? 'answer' : 'offer'
    this.localDescription = { type, sdp: `${type} ${this.name}${++this.#made}` } as RTCSessionDescription
    this.signalingState = type === 'answer' ? 'stable' : 'have-local-offer'
  }

  async setRemoteDescription({ type, sdp }: RTCSessionDescriptionInit) {
    if (type === 'answer' && this.signalingState !== 'have-local-offer') {
      throw new Error(`answer in ${this.signalingState}`)
    }
    this.remoteDescription = { type, sdp } as RTCSessionDescription
    this.signalingState = type === 'answer' ? 'stable' : 'have-remote-offer'
  }

  async addIceCandidate({ candidate }: RTCIceCandidateInit) {
    if (!this.remoteDescription) throw new Error('no remote description')
    this.candidates.push(candidate!)
  }
}

describe('offers and answers', () => {
  type Sent = Parameters<Negotiation['take']>[0]

  /** What each has sent waits here until it is delivered. */
  function two() {
    const side = (name: string, polite: boolean) => {
      const line = new FakeLine(name)
      const sent: Sent[] = []
      const negotiation = new Negotiation(line, {
        polite,
        send: description => sent.push(description),
        gathered: async () => {},
        beforeAnswer: async () => {},
      })
      return { line, sent, negotiation }
    }
    const ada = side('ada', true)
    const bob = side('bob', false)
    const deliver = async (from: typeof ada, to: typeof ada) => {
      const outcomes: string[] = []
      for (const description of from.sent.splice(0)) outcomes.push(await to.negotiation.take(description))
      return outcomes
    }
    const agree = async () => {
      await ada.negotiation.offer()
      await deliver(ada, bob)
      await deliver(bob, ada)
    }
    return { ada, bob, deliver, agree }
  }

  it('find together', async () => {
    const { ada, bob, agree } = two()
    await agree()
    expect([ada.line.signalingState, bob.line.signalingState]).to.deep.equal(['stable', 'stable'])
    expect(ada.line.remoteDescription?.sdp).to.equal('answer bob1')
  })

  it('made at once: the impolite one’s holds, and the polite one takes its own back', async () => {
    const { ada, bob, deliver, agree } = two()
    await agree()
    await Promise.all([ada.negotiation.offer(), bob.negotiation.offer()])
    expect(await deliver(ada, bob)).to.deep.equal(['ignored'])
    expect(await deliver(bob, ada)).to.deep.equal(['taken'])
    expect(await deliver(ada, bob)).to.deep.equal(['taken'])
    expect(bob.line.remoteDescription?.type).to.equal('answer')
    expect([ada.line.signalingState, bob.line.signalingState]).to.deep.equal(['stable', 'stable'])
  })

  it('made at once before anything was agreed on: the polite one starts over', async () => {
    const { ada, bob, deliver } = two()
    await Promise.all([ada.negotiation.offer(), bob.negotiation.offer()])
    expect(await deliver(bob, ada)).to.deep.equal(['start over'])
    expect(await deliver(ada, bob)).to.deep.equal(['ignored'])
  })

  it('said twice, or late, do no harm', async () => {
    const { ada, bob, deliver } = two()
    await ada.negotiation.offer()
    ada.negotiation.repeat()
    expect(ada.sent).to.have.length(2)
    expect(await deliver(ada, bob)).to.deep.equal(['taken', 'taken'])
    expect(await deliver(bob, ada)).to.deep.equal(['taken', 'ignored'])

    await ada.negotiation.offer()
    const late: Sent = { type: 'answer', sdp: 'answer bob1', offer: 'of another one' }
    expect(await ada.negotiation.take(late)).to.equal('ignored')
    expect(ada.line.signalingState).to.equal('have-local-offer')
  })

  it('wanted while one waits for its answer is made after that', async () => {
    const { ada, bob, deliver } = two()
    await ada.negotiation.offer()
    await ada.negotiation.offer()
    expect(ada.sent).to.have.length(1)
    await deliver(ada, bob)
    await deliver(bob, ada)
    await ada.negotiation.candidate({ candidate: 'waits its turn' })
    expect(ada.sent.map(({ sdp }) => sdp)).to.deep.equal(['offer ada2'])
  })

  it('of a client that marks nothing are answered, and its answers taken', async () => {
    const { ada, bob } = two()
    expect(await bob.negotiation.take({ type: 'offer', sdp: 'plain' })).to.equal('taken')
    expect(bob.sent).to.deep.equal([{ type: 'answer', sdp: 'answer bob1' }])
    await ada.negotiation.offer()
    expect(await ada.negotiation.take({ type: 'answer', sdp: 'plain' })).to.equal('taken')
  })

  it('that candidates have overtaken find them waiting', async () => {
    const { ada, bob, deliver } = two()
    await bob.negotiation.candidate({ candidate: 'early' })
    expect(bob.line.candidates).to.deep.equal([])
    await ada.negotiation.offer()
    await deliver(ada, bob)
    expect(bob.line.candidates).to.deep.equal(['early'])
  })
})
