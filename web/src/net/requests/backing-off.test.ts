import { expect } from 'chai'
import { BackingOff } from './backing-off.ts'
import { TestClock } from './clock.fixture.ts'

describe('a request that is repeated', () => {
  /** Pauses of 15 to 60 seconds; `random` 0.5 is no jitter. */
  function repeated(random = 0.5) {
    const clock = new TestClock()
    const began = clock.now()
    const world = { requests: [] as number[], hasChanged: false, hold: Promise.resolve() }
    const again = new BackingOff({
      clock,
      random: () => random,
      least: 15_000,
      most: 60_000,
      request: async () => {
        world.requests.push((clock.now() - began) / 1_000)
        await world.hold
        return world.hasChanged
      },
    })
    return { clock, world, again }
  }

  it('backs off from fifteen seconds to a minute while nothing changes', async () => {
    const { clock, world, again } = repeated()
    again.start()
    await clock.pass(230_000)
    expect(world.requests).to.deep.equal([15, 45, 105, 165, 225])
  })

  it('comes after fifteen seconds again once something has changed, or the tab is visible again', async () => {
    const { clock, world, again } = repeated()
    again.start()
    await clock.pass(100_000)
    world.hasChanged = true
    await clock.pass(10_000)
    world.hasChanged = false
    await clock.pass(15_000)
    again.start()
    await clock.pass(20_000)
    expect(world.requests).to.deep.equal([15, 45, 105, 120, 140])
  })

  it('is jittered by a fifth', async () => {
    for (const [random, first] of [
      [0, 12],
      [1, 18],
    ] as const) {
      const { clock, world, again } = repeated(random)
      again.start()
      await clock.pass(20_000)
      expect(world.requests).to.deep.equal([first])
    }
  })

  it('stops, also while it is under way, and runs once after being started again', async () => {
    const { clock, world, again } = repeated()
    let release = () => {}
    world.hold = new Promise(resolve => {
      release = resolve
    })
    again.start()
    await clock.pass(15_000)
    again.stop()
    release()
    await clock.pass(200_000)
    expect(world.requests).to.deep.equal([15])
    again.start()
    again.start()
    await clock.pass(15_000)
    expect(world.requests).to.deep.equal([15, 230])
  })
})
