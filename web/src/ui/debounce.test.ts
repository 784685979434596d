import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Debounce } from './debounce.ts'

describe('Debounce', () => {
  it('runs once, after the last of many calls', async () => {
    const ran: number[] = []
    const debounced = new Debounce(30, () => ran.push(performance.now()))
    let last = 0
    for (let i = 0; i < 20; i++) {
      debounced.call()
      last = performance.now()
      await new Promise(resolve => setTimeout(resolve, 4))
    }
    await eventually(() => expect(debounced.isPending).to.equal(false))
    expect(ran).to.have.length(1)
    expect(ran[0]! - last).to.be.at.least(28)
  })

  it('runs again after another call, and never after cancelling', async () => {
    let ran = 0
    const debounced = new Debounce(5, () => ran++)
    debounced.call()
    await eventually(() => expect(ran).to.equal(1))
    debounced.call()
    await eventually(() => expect(ran).to.equal(2))
    debounced.call()
    debounced.cancel()
    const after = new Debounce(20, () => {})
    after.call()
    await eventually(() => expect(after.isPending).to.equal(false))
    expect(ran).to.equal(2)
  })
})
