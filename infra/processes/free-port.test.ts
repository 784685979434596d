import { expect } from 'chai'
import { freePort, freePorts } from './free-port.ts'

describe('free ports', () => {
  /** Linux gives these to outgoing connections, unless it is told others. */
  const FIRST_OF_CONNECTIONS = 32_768

  it('are none that an outgoing connection takes meanwhile', async () => {
    for (const port of [await freePort(), (await freePorts(6)) + 5])
      expect(port).to.be.within(1_024, FIRST_OF_CONNECTIONS - 1)
  })

  it('are given once, as a process listens a second later', async () => {
    const given = await Promise.all(Array.from({ length: 400 }, freePort))
    expect(new Set(given).size).to.equal(given.length)
  })
})
