import { connectHerd, systemQueuesHerd } from '#shared/test-kit/herd.ts'

describe('the listener of a service', () => {
  it('keeps a thousand connections that arrive before the process accepts the first', async function () {
    if (!systemQueuesHerd()) this.skip()
    await connectHerd('service')
  }).timeout(15_000)
})
