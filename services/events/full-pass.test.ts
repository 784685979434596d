import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { FullPass } from './full-pass.ts'
import type { Watch } from './watch.ts'

describe('a full pass', () => {
  const [one, two] = [{ key: 'ada' }, { key: 'bob' }] as Watch[]
  let begun: number
  let pass: FullPass

  const passOver = (...watches: Watch[]) => {
    begun = 0
    pass = new FullPass(() => {
      begun++
      return watches
    })
  }
  afterEach(() => pass.stop())

  it('follows one that is under way, as a single one for all requests meanwhile', async () => {
    passOver(one!, two!)
    pass.request()
    for (let i = 0; i < 5; i++) pass.request()
    pass.noteDone(one!)
    pass.noteDone(one!)
    await pause(20)
    expect(begun, 'a watch is not evaluated yet').to.equal(1)
    pass.noteDone(two!)
    await eventually(() => expect(begun).to.equal(2))
    for (const watch of [one, two]) pass.noteDone(watch!)
    await pause(60)
    expect(begun, 'nobody requested a third').to.equal(2)
  })

  it('is followed by a pause of its duration', async () => {
    passOver(one!)
    const startedAt = performance.now()
    pass.request()
    await pause(60)
    pass.noteDone(one!)
    pass.request()
    expect(begun).to.equal(1)
    await eventually(() => expect(begun).to.equal(2))
    expect(performance.now() - startedAt).to.be.at.least(115)
  })

  it('of no watches ends at once', async () => {
    passOver()
    pass.request()
    pass.request()
    await eventually(() => expect(begun).to.be.at.least(2))
  })
})
