import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { acceptsGzip, comment, EncodedFrame, frame, head, retry } from './frames.ts'
import { addTo, GZIP_HEAD, gzipTail } from './gzip.ts'

describe('a frame (interface 6)', () => {
  it('names its event and carries compact JSON', () => {
    expect(frame('typing', ['ada']).text).to.equal('event: typing\ndata: ["ada"]\n\n')
  })

  it('of messages begins with its cursor', () => {
    expect(frame('messages', [{ id: 7 }], 12.5).text).to.equal(
      'id: 12.5\nevent: messages\ndata: [{"id":7}]\n\n',
    )
  })

  it('keeps a cursor to the microsecond', () => {
    const cursor = 1_795_258_351.583321
    expect(Number(/^id: (.*)\n/.exec(frame('messages', [], cursor).text)![1])).to.equal(cursor)
  })

  it('is one line of data for any text', () => {
    const { text } = frame('typing', ['a\nb\r\nc\u2028d\ud800'])
    expect(text.split(/\r\n|\r|\n/)).to.deep.equal([
      'event: typing',
      'data: ["a\\nb\\r\\nc\u2028d\\ud800"]',
      '',
      '',
    ])
  })

  it('of retry and of a comment is that of the interface', () => {
    expect(retry(3000).text).to.equal('retry: 3000\n\n')
    expect(comment('keep-alive').text).to.equal(': keep-alive\n\n')
  })
})

describe('an encoded frame', () => {
  it('is one chunk of a chunked body, its length in bytes', () => {
    const { chunk } = new EncodedFrame('data: "ä😀"\n\n').identity
    expect(chunk.toString()).to.equal('10\r\ndata: "ä😀"\n\n\r\n')
  })

  it('has the same bytes without the chunk, for HTTP/1.0', () => {
    expect(new EncodedFrame('data: "ä"\n\n').identity.plain.toString()).to.equal('data: "ä"\n\n')
  })
})

describe('an encoded frame in gzip', () => {
  const text = 'some text that repeats itself, '.repeat(20)
  const short = text.slice(0, 200)
  const decoded = (packets: EncodedFrame[]) => {
    const sum = { crc: 0, length: 0 }
    const blocks = packets.map(packet => packet.gzip.block)
    for (const block of blocks) addTo(sum, block)
    return gunzipSync(
      Buffer.concat([GZIP_HEAD, ...blocks.map(block => block.bytes), gzipTail(sum)]),
    ).toString()
  }

  it('is stored for the first stream and deflated from the second on', () => {
    const packet = new EncodedFrame(short)
    const sizes = [1, 2, 3].map(() => packet.gzip.plain.length)
    expect(sizes[0]).to.equal(short.length + 5)
    expect(sizes[1]).to.be.below(short.length / 2)
    expect(sizes[2]).to.equal(sizes[1])
  })

  it('is deflated at once when it is long, and never when it is very short', () => {
    expect(new EncodedFrame(text.repeat(2)).gzip.plain.length).to.be.below(100)
    const tiny = new EncodedFrame('data: []\n\n')
    expect([tiny.gzip.plain.length, tiny.gzip.plain.length]).to.deep.equal([15, 15])
  })

  it('is never deflated when it combines texts of several people', () => {
    const packet = new EncodedFrame(text.repeat(2)).undeflated()
    expect(packet.gzip.plain.length).to.equal(2 * text.length + 5)
  })

  it('decodes to its text in each of its codings', () => {
    const packet = new EncodedFrame(short)
    expect(decoded([packet, packet, new EncodedFrame('x'), packet])).to.equal(`${short}${short}x${short}`)
  })
})

describe('acceptsGzip', () => {
  it('is true for a header that names gzip', () => {
    for (const header of [
      'gzip',
      'gzip, deflate, br, zstd',
      'br;q=1, GZIP;q=0.5',
      'x-gzip',
      'gzip ; q=1.0',
    ]) {
      expect(acceptsGzip(header), header).to.equal(true)
    }
  })

  it('is false for a header that does not', () => {
    for (const header of [undefined, '', 'identity', '*', 'br', 'gzip;q=0', 'gzip;q=0.000', 'gzippy']) {
      expect(acceptsGzip(header), header).to.equal(false)
    }
  })
})

describe('the head of a stream', () => {
  const noon = new Date(Date.UTC(2026, 10, 21, 12))

  it('has the headers of the interface', () => {
    expect(head(true, false, noon, 'r1')).to.equal(
      'HTTP/1.1 200 OK\r\n' +
        'Content-Type: text/event-stream\r\n' +
        'Cache-Control: no-cache\r\n' +
        'X-Accel-Buffering: no\r\n' +
        'X-Content-Type-Options: nosniff\r\n' +
        'Connection: keep-alive\r\n' +
        'Transfer-Encoding: chunked\r\n' +
        'Date: Sat, 21 Nov 2026 12:00:00 GMT\r\n' +
        'X-Request-Id: r1\r\n' +
        '\r\n',
    )
  })

  it('names the content coding', () => {
    expect(head(true, true, noon, 'r1')).to.include('\r\nContent-Encoding: gzip\r\nVary: Accept-Encoding\r\n')
  })

  it('announces no chunks to HTTP/1.0', () => {
    expect(head(false, false, noon, 'r1')).to.not.include('chunked')
  })
})
