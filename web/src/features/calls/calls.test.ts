import { expect } from 'chai'
import { cameraBitrate, gridOf, onStage, stageOrder } from './grid.ts'
import { Negotiation } from './negotiation.ts'
import { pathOf, restartsBy } from './path.ts'

describe('the grid of the stage', () => {
  const shape = (people: number, phone = false) => {
    const { columns, rows, shown, more } = gridOf(people, phone)
    return `${columns}x${rows} ${shown}${more ? `+${more}` : ''}`
  }

  it('has a full tile for one, two side by side, a square for four, three rows for nine', () => {
    expect([1, 2, 3, 4, 5, 9].map(people => shape(people))).to.deep.equal([
      '1x1 1',
      '2x1 2',
      '2x2 3',
      '2x2 4',
      '3x2 5',
      '3x3 9',
    ])
  })

  it('keeps the last place for the number of people without a tile', () => {
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

  it('shows the viewer and the last speakers when not everybody has a place, in the order they came', () => {
    const people = ['ada', 'bob', 'cleo', 'dora', 'me']
    const spoke = new Map([
      ['dora', 20],
      ['bob', 10],
    ])
    expect(onStage(people, 'me', 3, spoke)).to.deep.equal(['bob', 'dora', 'me'])
    expect(onStage(people, 'me', 3, new Map())).to.deep.equal(['ada', 'bob', 'me'])
    expect(onStage(people, 'me', 5, spoke)).to.deep.equal(people)
  })

  it('keeps everybody in place when somebody answers, the viewer last', () => {
    const call = (...states: ('accepted' | 'pending' | 'left')[]) =>
      ['me', 'ada', 'bob', 'cleo'].map((username, at) => ({ username, state: states[at]! }))
    const order = (people: ReturnType<typeof call>) =>
      stageOrder(people, 'me', ({ username }) => username !== 'cleo')
    expect(order(call('accepted', 'pending', 'pending', 'left'))).to.deep.equal(['ada', 'bob', 'me'])
    expect(order(call('accepted', 'pending', 'accepted', 'left'))).to.deep.equal(['ada', 'bob', 'me'])
    expect(order(call('accepted', 'accepted', 'accepted', 'accepted'))).to.deep.equal([
      'ada',
      'bob',
      'cleo',
      'me',
    ])
    expect(order(call('accepted', 'accepted', 'accepted', 'pending')), 'cleo rings no more').to.deep.equal([
      'ada',
      'bob',
      'me',
    ])
  })

  it('gives each camera less of the uplink, the more receivers there are', () => {
    const rates = [2, 4, 9, 20].map(cameraBitrate)
    expect(rates).to.deep.equal([...rates].sort((a, b) => b - a))
    expect(new Set(rates).size).to.equal(4)
  })
})

describe('the state of a connection', () => {
  it('is new at first, then connecting, and none after twenty seconds', () => {
    expect([0, 2_999, 3_000, 19_999, 20_000].map(ms => pathOf(false, false, ms))).to.deep.equal([
      'new',
      'new',
      'connecting',
      'connecting',
      'none',
    ])
  })

  it('stays up through a short interruption', () => {
    expect([0, 1_499, 1_500, 20_000].map(ms => pathOf(false, true, ms))).to.deep.equal([
      'up',
      'up',
      'lost',
      'none',
    ])
    expect(pathOf(true, true, 0)).to.equal('up')
  })

  it('schedules restarts soon, then less and less often, for the polite side a little later', () => {
    expect([0, 2_000, 6_000, 12_000, 20_000, 35_000, 50_000].map(ms => restartsBy(ms, false))).to.deep.equal([
      0, 1, 2, 3, 4, 5, 6,
    ])
    expect([2_000, 4_000, 8_000].map(ms => restartsBy(ms, true))).to.deep.equal([0, 1, 2])
  })
})

/** An RTCPeerConnection, as far as offers and answers go. */
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

  /** Two sides whose signals are queued until delivered. */
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

  it('agree', async () => {
    const { ada, bob, agree } = two()
    await agree()
    expect([ada.line.signalingState, bob.line.signalingState]).to.deep.equal(['stable', 'stable'])
    expect(ada.line.remoteDescription?.sdp).to.equal('answer bob1')
  })

  it('collide: the impolite side’s offer holds, and the polite side rolls its own back', async () => {
    const { ada, bob, deliver, agree } = two()
    await agree()
    await Promise.all([ada.negotiation.offer(), bob.negotiation.offer()])
    expect(await deliver(ada, bob)).to.deep.equal(['ignored'])
    expect(await deliver(bob, ada)).to.deep.equal(['taken'])
    expect(await deliver(ada, bob)).to.deep.equal(['taken'])
    expect(bob.line.remoteDescription?.type).to.equal('answer')
    expect([ada.line.signalingState, bob.line.signalingState]).to.deep.equal(['stable', 'stable'])
  })

  it('collide before anything was agreed on: the polite side starts over', async () => {
    const { ada, bob, deliver } = two()
    await Promise.all([ada.negotiation.offer(), bob.negotiation.offer()])
    expect(await deliver(bob, ada)).to.deep.equal(['start over'])
    expect(await deliver(ada, bob)).to.deep.equal(['ignored'])
  })

  it('are ignored when they come twice or late', async () => {
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

  it('requested while one waits for its answer are made after that', async () => {
    const { ada, bob, deliver } = two()
    await ada.negotiation.offer()
    await ada.negotiation.offer()
    expect(ada.sent).to.have.length(1)
    await deliver(ada, bob)
    await deliver(bob, ada)
    await ada.negotiation.candidate({ candidate: 'waits its turn' })
    expect(ada.sent.map(({ sdp }) => sdp)).to.deep.equal(['offer ada2'])
  })

  it('without marks are answered, and their answers taken', async () => {
    const { ada, bob } = two()
    expect(await bob.negotiation.take({ type: 'offer', sdp: 'plain' })).to.equal('taken')
    expect(bob.sent).to.deep.equal([{ type: 'answer', sdp: 'answer bob1' }])
    await ada.negotiation.offer()
    expect(await ada.negotiation.take({ type: 'answer', sdp: 'plain' })).to.equal('taken')
  })

  it('apply candidates that arrived before them', async () => {
    const { ada, bob, deliver } = two()
    await bob.negotiation.candidate({ candidate: 'early' })
    expect(bob.line.candidates).to.deep.equal([])
    await ada.negotiation.offer()
    await deliver(ada, bob)
    expect(bob.line.candidates).to.deep.equal(['early'])
  })
})
