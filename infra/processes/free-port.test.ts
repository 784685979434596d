import { expect } from 'chai'
import { freePort, freePorts } from './free-port.ts'

describe('free ports', () => {
  /** Linux gives these to outgoing connections, unless it is told others. */
  const FIRST_OF_CONNECTIONS = 32_768

  it('are none that an outgoing connection takes meanwhile', async () => {
    for (const port of [await freePort(), (await freePorts(6)) + 5])
      expect(port).to.be.within(1_024, FIRST_OF_CONNECTIONS - 1)
  })
})
