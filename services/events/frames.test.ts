import { expect } from 'chai'
import { comment, frame, head, packet, retry } from './frames.ts'

describe('a frame (interface 6)', () => {
  it('names its event and carries compact JSON', () => {
    expect(frame('typing', ['ada'])).to.equal('event: typing\ndata: ["ada"]\n\n')
  })

  it('of messages begins with its cursor', () => {
    expect(frame('messages', [{ id: 7 }], 12.5)).to.equal('id: 12.5\nevent: messages\ndata: [{"id":7}]\n\n')
  })

  it('keeps a cursor to the microsecond', () => {
    const cursor = 1_795_258_351.583321
    expect(Number(/^id: (.*)\n/.exec(frame('messages', [], cursor))![1])).to.equal(cursor)
  })

  it('is one line of data whatever people type', () => {
    const text = frame('typing', ['a\nb\r\nc\u2028d\ud800'])
    expect(text.split(/\r\n|\r|\n/)).to.deep.equal([
      'event: typing',
      'data: ["a\\nb\\r\\nc\u2028d\\ud800"]',
      '',
      '',
    ])
  })

  it('of retry and of a comment is what the interface shows', () => {
    expect(retry(3000)).to.equal('retry: 3000\n\n')
    expect(comment('keep-alive')).to.equal(': keep-alive\n\n')
  })
})

describe('a packet', () => {
  it('is one chunk of a chunked body, counted in bytes and not in characters', () => {
    const { chunk } = packet('data: "ä😀"\n\n')
    expect(chunk.toString()).to.equal('10\r\ndata: "ä😀"\n\n\r\n')
  })

  it('has the same bytes without the chunk, for HTTP/1.0', () => {
    expect(packet('data: "ä"\n\n').plain.toString()).to.equal('data: "ä"\n\n')
  })
})

describe('the head of a stream', () => {
  const noon = new Date(Date.UTC(2026, 10, 21, 12))

  it('has the headers of the interface', () => {
    expect(head(true, noon)).to.equal(
      'HTTP/1.1 200 OK\r\n' +
        'Content-Type: text/event-stream\r\n' +
        'Cache-Control: no-cache\r\n' +
        'X-Accel-Buffering: no\r\n' +
        'X-Content-Type-Options: nosniff\r\n' +
        'Connection: keep-alive\r\n' +
        'Transfer-Encoding: chunked\r\n' +
        'Date: Sat, 21 Nov 2026 12:00:00 GMT\r\n' +
        '\r\n',
    )
  })

  it('promises no chunks to HTTP/1.0', () => {
    expect(head(false, noon)).to.not.include('chunked')
  })
})
