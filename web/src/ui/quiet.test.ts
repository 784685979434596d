import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Quiet } from './quiet.ts'

describe('Quiet', () => {
  it('runs once, after the last of many disturbances', async () => {
    const ran: number[] = []
    const quiet = new Quiet(30, () => ran.push(performance.now()))
    let last = 0
    for (let i = 0; i < 20; i++) {
      quiet.disturb()
      last = performance.now()
      await new Promise(resolve => setTimeout(resolve, 4))
    }
    await eventually(() => expect(quiet.isAwaited).to.equal(false))
    expect(ran).to.have.length(1)
    expect(ran[0]! - last).to.be.at.least(28)
  })

  it('runs again after the next one, and never once it is stopped', async () => {
    let ran = 0
    const quiet = new Quiet(5, () => ran++)
    quiet.disturb()
    await eventually(() => expect(ran).to.equal(1))
    quiet.disturb()
    await eventually(() => expect(ran).to.equal(2))
    quiet.disturb()
    quiet.stop()
    const after = new Quiet(20, () => {})
    after.disturb()
    await eventually(() => expect(after.isAwaited).to.equal(false))
    expect(ran).to.equal(2)
  })
})
