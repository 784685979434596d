import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { connectHerd, systemQueuesHerd } from '#shared/test-kit/herd.ts'
import { listener } from './lifecycle.ts'

describe('the listener of a service', () => {
  it('keeps a thousand connections that arrive before the process accepts the first', async function () {
    if (!systemQueuesHerd()) this.skip()
    await connectHerd('service')
  }).timeout(15_000)

  it('on SIGURG takes no new connections, and ends each one with its next response', async () => {
    const server = createServer((_, res) => res.end('hello'))
    const door = listener(server, 0, '127.0.0.1')
    await door.start?.()
    const { port } = server.address() as AddressInfo
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (agent: Agent | false) => {
      const [response] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [
        IncomingMessage,
      ]
      await response.resume().toArray()
      return response.headers.connection
    }
    try {
      expect(await ask(kept)).to.equal('keep-alive')
      process.emit('SIGURG', 'SIGURG')
      const refusal = await ask(false).catch(err => err.code)
      expect(refusal).to.equal('ECONNREFUSED')
      expect(await ask(kept), 'the connection that was open').to.equal('close')
      expect(await ask(kept).catch(err => err.code)).to.equal('ECONNREFUSED')
    } finally {
      kept.destroy()
      await door.stop?.()
    }
  })
})
