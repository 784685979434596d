import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { EncodedFrame, frame } from './frames.ts'
import { type Outlet, Stream } from './stream.ts'

/** A socket that accepts bytes when the test says so. */
class Pipe {
  written: string[] = []
  bytes: Buffer[] = []
  writableLength = 0
  destroyed = false
  ended = false
  isSlow = false
  #drained: (() => void)[] = []

  write(bytes: string | Buffer) {
    this.written.push(bytes.toString())
    this.bytes.push(Buffer.from(bytes))
    if (this.isSlow) this.writableLength += bytes.length
    return !this.isSlow
  }
  end(bytes?: string) {
    this.ended = true
    if (bytes) this.write(bytes)
  }
  cork() {}
  uncork() {}
  resetAndDestroy() {
    this.destroyed = true
  }
  destroySoon() {}
  once(_event: string, listener: () => void) {
    this.#drained.push(listener)
  }
  drain() {
    this.writableLength = 0
    this.isSlow = false
    for (const listener of this.#drained.splice(0)) listener()
  }
}

const TYPING = 1
const DMS = 4

describe('a stream (interface 6)', () => {
  let pipe: Pipe
  let stream: Stream

  const open = (chunked = true, gzip = false) => {
    pipe = new Pipe()
    const opened = {
      viewer: 'ada',
      session: 's1',
      channel: 'general',
      cursor: 0,
      chunked,
      gzip,
      deltas: new Set<string>(),
      known: new Map<string, string>(),
    }
    stream = new Stream(pipe as unknown as Outlet, opened)
    stream.open(new Date(), 'r1')
    return pipe.written.splice(0).join('')
  }
  const typing = (...names: string[]) => frame('typing', names)
  const show = (place: number, packet: EncodedFrame) => {
    stream.show(place, packet)
    stream.flush()
  }
  const append = (text: string) => {
    stream.append(new EncodedFrame(text))
    stream.flush()
  }
  beforeEach(() => void open())

  it('begins with the reconnect delay', () => {
    expect(open()).to.match(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nd\r\nretry: 3000\n\n\r\n$/s)
  })

  it('has no chunks for a proxy that speaks HTTP/1.0', () => {
    expect(open(false)).to.match(/\r\n\r\nretry: 3000\n\n$/)
    show(TYPING, typing('bob'))
    stream.end()
    expect(pipe.written).to.deep.equal(['event: typing\ndata: ["bob"]\n\n'])
  })

  it('shows a payload once, however often it is evaluated', () => {
    show(TYPING, typing('bob'))
    show(TYPING, typing('bob'))
    show(TYPING, typing())
    show(TYPING, typing('bob'))
    expect(pipe.written).to.have.length(3)
  })

  it('compares each event with its own last frame', () => {
    show(TYPING, typing('bob'))
    show(DMS, frame('dms', []))
    show(TYPING, typing('bob'))
    expect(pipe.written).to.have.length(2)
  })

  it('ends with the last chunk, and writes nothing afterwards', () => {
    stream.end()
    stream.end()
    show(TYPING, typing('bob'))
    stream.keepAlive()
    expect(pipe.written).to.deep.equal(['0\r\n\r\n'])
    expect(pipe.ended).to.equal(true)
    expect(stream.isOpen).to.equal(false)
  })

  describe('of a tab that does not read', () => {
    beforeEach(() => {
      pipe.isSlow = true
      show(TYPING, typing('bob'))
    })

    it('gets nothing more until it has drained, and then the missed frames', () => {
      let joined = 0
      stream.onDrained = () => void joined++
      show(TYPING, typing('cleo'))
      show(TYPING, typing())
      expect(pipe.written).to.have.length(1)

      pipe.drain()
      expect(joined).to.equal(1)
      show(TYPING, typing())
      expect(pipe.written.at(-1)).to.include('data: []')
    })

    it('is left alone when it drains and has missed nothing', () => {
      let joined = 0
      stream.onDrained = () => void joined++
      pipe.drain()
      expect(joined).to.equal(0)
      expect(stream.isStalled).to.equal(false)
    })

    it('is closed when it has not drained for twenty seconds', () => {
      const now = performance.now()
      stream.dropIfStuck(now + 19_000)
      expect(pipe.destroyed).to.equal(false)
      stream.dropIfStuck(now + 21_000)
      expect(pipe.destroyed).to.equal(true)
    })

    it('is closed when more than a mebibyte waits before the next frame', () => {
      append('x'.repeat(600_000))
      append('x'.repeat(600_000))
      expect(pipe.destroyed).to.equal(false)
      append('x')
      expect(pipe.destroyed).to.equal(true)
    })
  })

  it('is not closed because one frame is large', () => {
    pipe.isSlow = true
    append('x'.repeat(3 * 1024 * 1024))
    expect(pipe.destroyed).to.equal(false)
    pipe.drain()
    append('y')
    expect(pipe.written.at(-1)).to.equal('1\r\ny\r\n')
    expect(stream.isStalled).to.equal(false)
  })

  it('writes all frames of a flush at once', () => {
    stream.show(TYPING, typing('bob'))
    stream.show(DMS, frame('dms', []))
    expect(pipe.written).to.have.length(0)
    stream.flush()
    expect(pipe.written).to.have.length(1)
    stream.append(new EncodedFrame('x'.repeat(100)))
    stream.keepAlive()
    expect(pipe.written).to.have.length(2)
    expect(pipe.written[1]).to.match(/x\r\n.*: keep-alive/s)
  })

  it('is one gzip body with a valid end, for HTTP/1.1 and 1.0', () => {
    for (const chunked of [true, false]) {
      open(chunked, true)
      const long = `data: ${'abc'.repeat(1_000)}\n\n`
      stream.append(new EncodedFrame(long))
      show(TYPING, typing('bob'))
      stream.keepAlive()
      stream.end()
      const all = Buffer.concat(pipe.bytes)
      const body = all.subarray(all.indexOf('\r\n\r\n') + 4)
      const coded = chunked ? unchunked(body) : body
      expect(coded.length).to.be.below(400)
      const text = gunzipSync(coded).toString()
      expect(text).to.equal(`retry: 3000\n\n${long}event: typing\ndata: ["bob"]\n\n: keep-alive\n\n`)
    }
  })

  it('is not considered stuck when the system took a large frame at once', () => {
    pipe.write = () => false
    show(TYPING, typing('bob'))
    expect(stream.isStalled).to.equal(false)
  })
})

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
  return Buffer.concat(parts)
}
