import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { connectHerd, systemQueuesHerd } from '#shared/test-kit/herd.ts'
import { listener } from './lifecycle.ts'

describe('the listener of a service', () => {
  it('keeps a thousand connections that arrive before the process accepts the first', async function () {
    if (!systemQueuesHerd()) this.skip()
    await connectHerd('service')
  }).timeout(15_000)

  it('drains: takes no new connections, ends each one with its next response or when its client does', async () => {
    const server = createServer((req, res) => {
      setTimeout(() => res.end('hello'), req.url === '/slow' ? 300 : 0)
    })
    const door = listener(server, 0, '127.0.0.1')
    await door.start?.()
    const { port } = server.address() as AddressInfo
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const idle = new Agent({ keepAlive: true, maxSockets: 1 })
    const busy = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (agent: Agent | false, path = '/') => {
      const [response] = (await once(get({ port, host: '127.0.0.1', agent, path }), 'response')) as [
        IncomingMessage,
      ]
      await response.resume().toArray()
      return response.headers.connection
    }
    try {
      expect([await ask(kept), await ask(idle)]).to.deep.equal(['keep-alive', 'keep-alive'])
      const slow = ask(busy, '/slow')
      await once(server, 'request')
      let isDrained = false
      const drained = door.drain!().then(() => {
        isDrained = true
      })
      await eventually(async () => {
        const refusal = await ask(false).catch(err => err.code)
        expect(refusal).to.equal('ECONNREFUSED')
      })
      expect(await slow, 'a request in progress').to.equal('close')
      expect(await ask(kept), 'the connection that was open').to.equal('close')
      expect(await ask(kept).catch(err => err.code)).to.equal('ECONNREFUSED')
      expect(isDrained, 'while a client has an idle connection').to.equal(false)
      idle.destroy()
      await drained
    } finally {
      kept.destroy()
      idle.destroy()
      await door.stop?.()
    }
  })
})

describe('a process', () => {
  const SERVICE = `
    import { createServer } from 'node:http'
    import { setTimeout as pause } from 'node:timers/promises'
    import { listener, run } from '${join(import.meta.dirname, 'lifecycle.ts')}'
    const server = createServer(async (req, res) => {
      if (req.url === '/slow') await pause(500)
      res.end('done')
    })
    await run([listener(server, 0, '127.0.0.1')])
    process.send(server.address().port)
  `

  it('that gets the stop signal of the image finishes its requests, also on a kept connection, and exits with 0', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVICE], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit')
    const port = await new Promise<number>(resolve =>
      child.on('message', message => typeof message === 'number' && resolve(message)),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (path: string, by: Agent | false) => {
      const [response] = (await once(get({ port, host: '127.0.0.1', path, agent: by }), 'response')) as [
        IncomingMessage,
      ]
      return (await response.setEncoding('utf8').toArray()).join('')
    }
    try {
      await ask('/', agent)
      const slow = ask('/slow', false)
      await pause(100)
      child.kill('SIGQUIT')
      await eventually(async () => {
        expect(await ask('/', false).catch(err => err.code)).to.equal('ECONNREFUSED')
      })
      expect(await ask('/', agent), 'on the connection that was idle').to.equal('done')
      expect(await slow).to.equal('done')
      expect(await ended).to.deep.equal([0, null])
    } finally {
      agent.destroy()
      child.kill('SIGKILL')
    }
  }).timeout(15_000)
})
