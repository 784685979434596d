import { expect } from 'chai'
import { frame, packet } from './frames.ts'
import { type Outlet, Stream } from './stream.ts'

/** A socket of which the test decides when it takes what it was given. */
class Pipe {
  written: string[] = []
  writableLength = 0
  destroyed = false
  ended = false
  isSlow = false
  #drained: (() => void)[] = []

  write(bytes: string | Buffer) {
    this.written.push(bytes.toString())
    if (this.isSlow) this.writableLength += bytes.length
    return !this.isSlow
  }
  end(bytes?: string) {
    this.ended = true
    if (bytes) this.written.push(bytes)
  }
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

  const open = (chunked = true) => {
    pipe = new Pipe()
    const opened = { viewer: 'ada', session: 's1', channel: 'general', cursor: 0, chunked }
    stream = new Stream(pipe as unknown as Outlet, opened)
    stream.open(new Date())
    return pipe.written.splice(0).join('')
  }
  const typing = (...names: string[]) => packet(frame('typing', names))
  beforeEach(() => void open())

  it('begins with the reconnect delay', () => {
    expect(open()).to.match(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nd\r\nretry: 3000\n\n\r\n$/s)
  })

  it('has no chunks for a proxy that speaks HTTP/1.0', () => {
    expect(open(false)).to.match(/\r\n\r\nretry: 3000\n\n$/)
    stream.show(TYPING, typing('bob'))
    stream.end()
    expect(pipe.written).to.deep.equal(['event: typing\ndata: ["bob"]\n\n'])
  })

  it('shows a payload once, however often it is evaluated', () => {
    stream.show(TYPING, typing('bob'))
    stream.show(TYPING, typing('bob'))
    stream.show(TYPING, typing())
    stream.show(TYPING, typing('bob'))
    expect(pipe.written).to.have.length(3)
  })

  it('compares each event with its own last frame', () => {
    stream.show(TYPING, typing('bob'))
    stream.show(DMS, packet(frame('dms', [])))
    stream.show(TYPING, typing('bob'))
    expect(pipe.written).to.have.length(2)
  })

  it('says that it is complete when it ends, and writes nothing afterwards', () => {
    stream.end()
    stream.end()
    stream.show(TYPING, typing('bob'))
    stream.keepAlive()
    expect(pipe.written).to.deep.equal(['0\r\n\r\n'])
    expect(pipe.ended).to.equal(true)
    expect(stream.isOpen).to.equal(false)
  })

  describe('of a tab that does not read', () => {
    beforeEach(() => {
      pipe.isSlow = true
      stream.show(TYPING, typing('bob'))
    })

    it('gets nothing more until it has drained, and then sees what it missed', () => {
      let joined = 0
      stream.onDrained = () => void joined++
      stream.show(TYPING, typing('cleo'))
      stream.show(TYPING, typing())
      expect(pipe.written).to.have.length(1)

      pipe.drain()
      expect(joined).to.equal(1)
      stream.show(TYPING, typing())
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

    it('is closed when more than a mebibyte waits', () => {
      stream.append(packet('x'.repeat(600_000)))
      expect(pipe.destroyed).to.equal(false)
      stream.append(packet('x'.repeat(600_000)))
      expect(pipe.destroyed).to.equal(true)
    })
  })

  it('is not taken for stuck when the system took a large frame at once', () => {
    pipe.write = () => false
    stream.show(TYPING, typing('bob'))
    expect(stream.isStalled).to.equal(false)
  })
})
