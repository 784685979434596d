import { expect } from 'chai'
import { type Answer, CardQueue } from './card-queue.ts'

/** A server that responds when the test says so, and a clock that stands still. */
function world() {
  const asked: { address: string; answer: (answer: Answer) => Promise<void> }[] = []
  let timers: { at: number; run: () => void }[] = []
  const state = { now: 1_000, online: true }
  const queue = new CardQueue({
    ask: address =>
      new Promise(resolve => {
        const answer = async (given: Answer) => {
          resolve(given)
          for (let turn = 0; turn < 5; turn++) await undefined
        }
        asked.push({ address, answer })
      }),
    now: () => state.now,
    later: (delay, run) => void timers.push({ at: state.now + delay, run }),
    isOnline: () => state.online,
  })
  return {
    queue,
    state,
    asked,
    addresses: () => asked.map(one => one.address).join(' '),
    wait(ms: number) {
      state.now += ms
      const due = timers.filter(timer => timer.at <= state.now)
      timers = timers.filter(timer => timer.at > state.now)
      for (const { run } of due) run()
    },
  }
}

const card = (title: string): Answer => ({
  type: 'og',
  title,
  description: '',
  image: '',
  domain: 'a',
  url: title,
})

describe('the queue for cards', () => {
  it('asks once for an address, however many callers want it, and keeps the card', async () => {
    const { queue, asked, addresses } = world()
    queue.want('a')
    queue.want('a')
    await asked[0]!.answer(card('A'))
    queue.want('a')
    expect(addresses()).to.equal('a')
    expect(queue.cardOf('a').value).to.include({ title: 'A' })
    queue.want('b')
    await asked[1]!.answer({})
    queue.want('b')
    expect(addresses()).to.equal('a b')
    expect(queue.cardOf('b').value).to.deep.equal({})
  })

  it('asks for few at once, the last wanted first, and skips addresses that are no longer on the screen', async () => {
    const { queue, asked, addresses } = world()
    const stop = ['a', 'b', 'c', 'd', 'e', 'f'].map(address => queue.want(address))
    expect(addresses()).to.equal('a b c')
    stop[4]!()
    await asked[0]!.answer({})
    await asked[1]!.answer({})
    expect(addresses()).to.equal('a b c f d')
    queue.want('e')
    await asked[2]!.answer({})
    expect(addresses()).to.equal('a b c f d e')
  })

  it('stays below what the server allows in a minute', async () => {
    const { queue, asked, wait } = world()
    for (let i = 0; i < 80; i++) queue.want(`${i}`)
    for (let i = 0; i < 50; i++) await asked[i]!.answer({})
    expect(asked.length).to.equal(50)
    wait(59_000)
    expect(asked.length).to.equal(50)
    wait(1_000)
    expect(asked.length).to.equal(53)
  })

  it('waits as long as the server says, then asks again', async () => {
    const { queue, asked, wait } = world()
    queue.want('a')
    await asked[0]!.answer({ retry: 7_000 })
    queue.want('b')
    wait(6_999)
    expect(asked.length).to.equal(1)
    wait(1)
    expect(asked.map(one => one.address)).to.deep.equal(['a', 'b', 'a'])
  })

  it('asks a failing server three times, waiting longer each time', async () => {
    const { queue, asked, wait } = world()
    queue.want('a')
    await asked[0]!.answer({ failed: 'server' })
    wait(2_000)
    await asked[1]!.answer({ failed: 'server' })
    wait(2_000)
    expect(asked.length).to.equal(2)
    wait(2_000)
    await asked[2]!.answer({ failed: 'server' })
    wait(60_000)
    expect(asked.length).to.equal(3)
    expect(queue.cardOf('a').value).to.deep.equal({})
  })

  it('asks three times for a card that the server had no time for, and serves others meanwhile', async () => {
    const { queue, asked, wait, addresses } = world()
    const stop = queue.want('a')
    await asked[0]!.answer({ late: 15_000 })
    queue.want('b')
    expect(addresses()).to.equal('a b')
    expect(queue.cardOf('a').value).to.equal(undefined)
    stop()
    wait(15_000)
    expect(addresses()).to.equal('a b')
    queue.want('a')
    expect(addresses()).to.equal('a b a')
    await asked[2]!.answer({ late: 15_000 })
    wait(15_000)
    await asked[3]!.answer({ late: 15_000 })
    wait(60_000)
    expect(addresses()).to.equal('a b a a')
    expect(queue.cardOf('a').value).to.deep.equal({})
  })

  it('does not count a lost connection as a missing card', async () => {
    const { queue, asked, wait } = world()
    queue.want('a')
    for (let i = 0; i < 9; i++) {
      await asked[i]!.answer({ failed: 'network' })
      wait(60_000)
    }
    expect(queue.cardOf('a').value).to.equal(undefined)
    await asked[9]!.answer(card('A'))
    expect(queue.cardOf('a').value).to.include({ title: 'A' })
  })

  it('asks for nothing without a connection', () => {
    const { queue, asked, state } = world()
    state.online = false
    queue.want('a')
    expect(asked.length).to.equal(0)
    state.online = true
    queue.wake()
    expect(asked.length).to.equal(1)
  })

  it('evicts the least recently used card, but none that is on the screen', async () => {
    const { queue, asked } = world()
    queue.want('kept')
    await asked[0]!.answer(card('kept'))
    queue.want('wanted')
    for (let i = 0; i < 600; i++) {
      queue.cardOf('kept')
      queue.cardOf(`${i}`)
    }
    expect(queue.cardOf('kept').value).to.include({ title: 'kept' })
    await asked[1]!.answer(card('wanted'))
    expect(queue.cardOf('wanted').value).to.include({ title: 'wanted' })
  })
})
