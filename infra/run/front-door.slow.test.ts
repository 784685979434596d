import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { connectHerd, systemQueuesHerd } from '#shared/test-kit/herd.ts'
import { startChild, stopChild } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'

describe('the front door', () => {
  const opened: (Server | FrontDoor)[] = []

  afterEach(async () => {
    for (const one of opened.splice(0)) {
      if ('closeAllConnections' in one) one.closeAllConnections()
      await one.close()
    }
  })

  async function upstream(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    opened.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function door(api: string[], events: string[] = [], trustProxy = 0): Promise<string> {
    const front = await openFrontDoor({ api: () => api, events: () => events, host: '127.0.0.1', trustProxy })
    opened.push(front)
    return `http://127.0.0.1:${front.port}`
  }

  const says = (word: string) => upstream((_, res) => void res.end(word))
  const get = async (url: string) => (await fetch(url)).text()
  /** An address on which no process listens any more. */
  async function nobody() {
    const url = await says('gone')
    await (opened.pop() as Server).close()
    return url
  }

  it('leads /events to the gateways and everything else to the api', async () => {
    const url = await door([await says('api')], [await says('events')])
    expect(await get(`${url}/events?channel=general`)).to.equal('events')
    expect(await get(`${url}/events`)).to.equal('events')
    expect(await get(`${url}/eventsful`)).to.equal('api')
    expect(await get(`${url}/`)).to.equal('api')
  })

  it('keeps a thousand connections that arrive before it accepts the first', async function () {
    if (!systemQueuesHerd()) this.skip()
    await connectHerd('front door')
  }).timeout(15_000)

  it('takes turns between several', async () => {
    const url = await door([await says('one'), await says('two')])
    const answers = [await get(url), await get(url), await get(url), await get(url)]
    expect(answers.sort()).to.deep.equal(['one', 'one', 'two', 'two'])
  })

  it('skips a process that is gone, for writes as well, and loses no body', async () => {
    const echo = await upstream(async (req, res) => void res.end(await text(req)))
    const url = await door([await nobody(), echo])
    for (const word of ['a', 'b', 'c']) {
      expect(await (await fetch(url, { method: 'POST', body: word.repeat(100_000) })).text()).to.equal(
        word.repeat(100_000),
      )
    }
  })

  it('closes the connection of a client that does not read, and the one to the process with it', async () => {
    const sent: ServerResponse[] = []
    const large = Buffer.alloc(64 * 1024 * 1024)
    const api = await upstream((_, res) => {
      sent.push(res)
      res.write(large)
    })
    const front = await openFrontDoor({ api: () => [api], events: () => [], host: '127.0.0.1', stalled: 500 })
    opened.push(front)
    const clients = Array.from({ length: 8 }, () => connect(front.port, '127.0.0.1'))
    for (const client of clients) {
      client.on('error', () => {})
      client.pause()
      client.write('GET /messages/general HTTP/1.1\r\nHost: x\r\n\r\n')
    }
    await eventually(() => expect(sent).to.have.length(clients.length))
    await eventually(() => expect(sent.every(res => res.destroyed)).to.equal(true))
    for (const client of clients) client.destroy()
  }).timeout(40_000)

  it('responds 503 with Retry-After while no process is up', async () => {
    const response = await fetch(await door([await nobody()]))
    expect(response.status).to.equal(503)
    expect(response.headers.get('retry-after')).to.equal('1')
  })

  it('repeats a read at the next process when one dies under it, but never a write', async () => {
    let heard = 0
    const dying = await upstream(req => {
      heard++
      req.socket.destroy()
    })
    const url = await door([dying, await says('fine')])
    expect([await get(url), await get(url)]).to.deep.equal(['fine', 'fine'])
    heard = 0
    const alone = await door([dying])
    expect((await fetch(alone, { method: 'POST', body: 'hi' })).status).to.equal(503)
    expect(heard).to.equal(1)
    // Slack's methods write by GET, too.
    const both = await door([dying, dying])
    for (const path of ['/api/chat.postMessage', '/API/chat.delete?a=b']) {
      heard = 0
      expect((await fetch(both + path)).status, path).to.equal(503)
      expect(heard, path).to.equal(1)
    }
  })

  it('forwards a stream byte by byte, its headers before its first byte', async () => {
    let write: ((chunk: string) => void) | undefined
    let left = false
    const gateway = await upstream((_, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      write = chunk => res.write(chunk)
      res.once('close', () => {
        left = true
      })
    })
    const url = await door([], [gateway])
    const response = await fetch(`${url}/events`)
    expect(response.headers.get('content-type')).to.equal('text/event-stream')
    const reader = response.body!.getReader()
    write!('data: 1\n\n')
    expect(Buffer.from((await reader.read()).value!).toString()).to.equal('data: 1\n\n')
    write!('data: 2\n\n')
    expect(Buffer.from((await reader.read()).value!).toString()).to.equal('data: 2\n\n')
    await reader.cancel()
    await eventually(() => expect(left, 'the gateway hears that the tab has gone').to.equal(true))
  })

  it('breaks off a response whose process dies in the middle', async () => {
    const url = await door([
      await upstream((_, res) => {
        res.writeHead(200, { 'Content-Length': '1000' })
        res.write('half')
        setTimeout(() => res.destroy(), 20)
      }),
    ])
    const failure = await fetch(url)
      .then(response => response.text())
      .catch(err => err)
    expect(failure).to.be.instanceOf(Error)
  })

  it('keeps two cookies apart and forwards the status unchanged', async () => {
    const url = await door([
      await upstream((_, res) => void res.writeHead(418, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end()),
    ])
    const response = await fetch(url)
    expect(response.status).to.equal(418)
    expect(response.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2'])
  })

  it('forwards a refusal that comes before the upload is over', async () => {
    const url = await door([
      await upstream((_, res) => void res.writeHead(413, { Connection: 'close' }).end('too large')),
    ])
    const out = request(url, { method: 'POST' })
    out.on('error', () => {})
    out.write('x'.repeat(1000))
    const [response] = (await once(out, 'response')) as [IncomingMessage]
    expect(response.statusCode).to.equal(413)
    expect(await text(response)).to.equal('too large')
    out.destroy()
  })

  describe('with one of two processes frozen', function () {
    this.timeout(180_000)
    const children: ReturnType<typeof startChild>[] = []
    const SERVE = `require('node:http').createServer((q, r) => q.resume().once('end', () => r.end(process.pid + '')))
      .listen(Number(process.env.PORT), '127.0.0.1')`

    async function two(): Promise<string[]> {
      const urls: string[] = []
      for (let i = 0; i < 2; i++) {
        const port = await freePort()
        const url = `http://127.0.0.1:${port}`
        const env = { ...process.env, PORT: String(port) }
        children.push(startChild(process.execPath, ['-e', SERVE], { env }))
        while (!(await fetch(url).catch(() => undefined))) await pause(20)
        urls.push(url)
      }
      return urls
    }

    afterEach(async () => {
      for (const child of children.splice(0)) {
        child.kill('SIGCONT')
        await stopChild(child)
      }
    })

    it('keeps serving: reads are repeated after 5 s, writes get 504, and the frozen one is skipped until it wakes', async () => {
      const url = await door(await two())
      const [frozen, other] = children as [(typeof children)[0], (typeof children)[0]]
      /** Requests of 20 clients during this time. */
      const load = async (milliseconds: number) => {
        const seen: { method: string; status: number; ms: number; at: number }[] = []
        const began = performance.now()
        const client = async (method: string) => {
          for (let at = began; at < began + milliseconds; ) {
            at = performance.now()
            const response = await fetch(url, method === 'POST' ? { method, body: 'hello' } : { method })
            await response.text()
            seen.push({ method, status: response.status, ms: performance.now() - at, at: at - began })
            if (response.status === 504) expect(response.headers.get('retry-after')).to.equal('1')
            await pause(50)
          }
        }
        await Promise.all(Array.from({ length: 20 }, (_, i) => client(i % 2 === 0 ? 'GET' : 'POST')))
        return seen
      }
      const longestIn = (seen: { ms: number }[]) => Math.max(...seen.map(one => one.ms))
      const usual = longestIn(await load(2_000))
      frozen.kill('SIGSTOP')
      const seen = await load(12_000)
      const slow = seen.filter(one => one.ms > 1_000 + 2 * usual)
      expect(longestIn(seen)).to.be.lessThan(6_000 + 2 * usual)
      expect(slow.length).to.be.within(1, seen.length / 3)
      expect(slow.filter(one => one.at > 6_000 + 2 * usual)).to.deep.equal([])
      expect(new Set(seen.filter(one => one.method === 'GET').map(one => one.status))).to.deep.equal(
        new Set([200]),
      )
      for (const { status } of seen.filter(one => one.method === 'POST'))
        expect(status).to.be.oneOf([200, 504])
      frozen.kill('SIGCONT')
      const answers = new Set<string>()
      await eventually(async () => {
        answers.add(await get(url))
        expect([...answers].sort()).to.deep.equal([String(frozen.pid), String(other.pid)].sort())
      })
    })

    it('waits for a process that is slow but alive', async () => {
      let heard = 0
      const slow = await upstream((req, res) => {
        if (req.url === '/healthz') return void res.end('ok')
        heard++
        setTimeout(() => res.end('at last'), 6_500)
      })
      const url = await door([slow, slow])
      expect(await get(url)).to.equal('at last')
      expect(heard).to.equal(1)
    })
  })

  describe('tells the processes the address of the client', () => {
    const showing = () => upstream((req, res) => void res.end(JSON.stringify(req.headers)))
    const forged = {
      headers: { 'X-Forwarded-For': '6.6.6.6', 'X-Forwarded-Proto': 'https', Forwarded: 'for=6.6.6.6' },
    }

    it('and ignores what the client says about it', async () => {
      const url = await door([await showing()])
      const headers = JSON.parse(await (await fetch(url, forged)).text())
      expect(headers['x-forwarded-for']).to.equal('127.0.0.1')
      expect(headers['x-forwarded-proto']).to.equal('http')
      expect(headers['x-forwarded-host']).to.equal(new URL(url).host)
      expect(headers.host).to.equal(new URL(url).host)
      expect(headers.forwarded).to.equal(undefined)
    })

    it('unless the operator has a proxy in front', async () => {
      const url = await door([await showing()], [], 1)
      const headers = JSON.parse(await (await fetch(url, forged)).text())
      expect(headers['x-forwarded-for']).to.equal('6.6.6.6, 127.0.0.1')
      expect(headers['x-forwarded-proto']).to.equal('https')
    })
  })
})
