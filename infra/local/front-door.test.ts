import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
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
  /** An address at which nobody listens any more. */
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

  it('takes turns between several', async () => {
    const url = await door([await says('one'), await says('two')])
    const answers = [await get(url), await get(url), await get(url), await get(url)]
    expect(answers.sort()).to.deep.equal(['one', 'one', 'two', 'two'])
  })

  it('passes over one that is gone, for writes as well, and loses no body on the way', async () => {
    const echo = await upstream(async (req, res) => void res.end(await text(req)))
    const url = await door([await nobody(), echo])
    for (const word of ['a', 'b', 'c']) {
      expect(await (await fetch(url, { method: 'POST', body: word.repeat(100_000) })).text()).to.equal(
        word.repeat(100_000),
      )
    }
  })

  it('says 503 and when to try again while nobody is there', async () => {
    const response = await fetch(await door([await nobody()]))
    expect(response.status).to.equal(503)
    expect(response.headers.get('retry-after')).to.equal('1')
  })

  it('asks the next one when a process dies under a read, but never repeats a write', async () => {
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
  })

  it('lets a stream through byte by byte, its head before its first byte', async () => {
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
    for (let i = 0; i < 100 && !left; i++) await new Promise(wake => setTimeout(wake, 10))
    expect(left, 'the gateway hears that the tab has gone').to.equal(true)
  })

  it('breaks off an answer whose process dies in the middle', async () => {
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

  it('keeps two cookies apart and hands on the status as it is', async () => {
    const url = await door([
      await upstream((_, res) => void res.writeHead(418, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end()),
    ])
    const response = await fetch(url)
    expect(response.status).to.equal(418)
    expect(response.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2'])
  })

  it('hands on a refusal that comes before the upload is over', async () => {
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

  describe('tells the processes who asked', () => {
    const showing = () => upstream((req, res) => void res.end(JSON.stringify(req.headers)))
    const forged = {
      headers: { 'X-Forwarded-For': '6.6.6.6', 'X-Forwarded-Proto': 'https', Forwarded: 'for=6.6.6.6' },
    }

    it('and believes nobody else about it', async () => {
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
