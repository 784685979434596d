import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'

const SOMAXCONN = '/proc/sys/net/core/somaxconn'
const CONNECTIONS = 1_000

describe('the listener of a service', () => {
  it('keeps a thousand connections that arrive before the process accepts the first', async function () {
    const longestBacklog = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0
    if (longestBacklog < 2 * CONNECTIONS) this.skip()
    const child = fork(join(import.meta.dirname, 'lifecycle.fixture.ts'))
    const [port] = (await once(child, 'message')) as [number]
    // The child is busy from here on.
    child.send('be busy')
    await once(child, 'message')
    const sockets: Socket[] = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
    try {
      // Without room in the queue, TCP repeats the request after 1, 3, 7 … seconds: those connections come too late.
      const signal = AbortSignal.timeout(10_000)
      await Promise.all(sockets.map(socket => once(socket, 'connect', { signal })))
      expect(child.exitCode).to.equal(null)
    } finally {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
    }
  }).timeout(15_000)
})
