import { expect } from 'chai'
import fc from 'fast-check'
import { answerTo, readBindingRequest } from './message.ts'
import { addressBytes, xorMappedAddress } from './xor-mapped-address.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')

/** RFC 5769, 2.1: SOFTWARE, PRIORITY, ICE-CONTROLLED, USERNAME, MESSAGE-INTEGRITY, FINGERPRINT. */
const SAMPLE_REQUEST = bytes(`
  00 01 00 58 21 12 a4 42 b7 e7 a7 01 bc 34 d6 86 fa 87 df ae
  80 22 00 10 53 54 55 4e 20 74 65 73 74 20 63 6c 69 65 6e 74
  00 24 00 04 6e 00 01 ff
  80 29 00 08 93 2f f9 b1 51 26 3b 36
  00 06 00 09 65 76 74 6a 3a 68 36 76 59 20 20 20
  00 08 00 14 9a ea a7 0c bf d8 cb 56 78 1e f2 b5 b2 d3 f2 49 c1 b5 71 a2
  80 28 00 04 e5 7a 3b cf`)
/** RFC 5769, 2.2: the response over IPv4, to 192.0.2.1, port 32853. */
const SAMPLE_RESPONSE = bytes(`
  01 01 00 3c 21 12 a4 42 b7 e7 a7 01 bc 34 d6 86 fa 87 df ae
  80 22 00 0b 74 65 73 74 20 76 65 63 74 6f 72 20
  00 20 00 08 00 01 a1 47 e1 12 a6 43
  00 08 00 14 2b 91 f5 99 fd 9e 90 c3 8c 74 89 f9 2a f9 ba 53 f0 6b e7 d7
  80 28 00 04 c0 7d 4c 96`)
/** RFC 5769, 2.3: the value of XOR-MAPPED-ADDRESS over IPv6. */
const SAMPLE_IPV6 = bytes('00 02 a1 47 01 13 a9 fa a5 d3 f1 79 bc 25 f4 b5 be d2 b9 d9')
/** RFC 5769, 2.4: a request with long-term credentials and no FINGERPRINT. */
const LONG_TERM_REQUEST = bytes(`
  00 01 00 60 21 12 a4 42 78 ad 34 33 c6 ad 72 c0 29 da 41 2e
  00 06 00 12 e3 83 9e e3 83 88 e3 83 aa e3 83 83 e3 82 af e3 82 b9 00 00
  00 15 00 1c 66 2f 2f 34 39 39 6b 39 35 34 64 36 4f 4c 33 34 6f 4c 39 46 53 54 76 79 36 34 73 41
  00 14 00 0b 65 78 61 6d 70 6c 65 2e 6f 72 67 00
  00 08 00 14 f6 70 24 65 6d d6 4a 3e 02 b8 e0 71 2e 85 c9 a2 8c a8 96 66`)

const IDENTITY = '21 12 a4 42 b7 e7 a7 01 bc 34 d6 86 fa 87 df ae'
const PLAIN = bytes(`00 01 00 00 ${IDENTITY}`)
/** A request with these attributes and the right length in its header. */
const withAttributes = (hex: string) => {
  const request = Buffer.concat([PLAIN, bytes(hex)])
  request.writeUInt16BE(request.length - 20, 2)
  return request
}
/** The FINGERPRINT covers these 20 bytes with a length of 8. */
const FINGERPRINTED = bytes(`00 01 00 08 ${IDENTITY} 80 28 00 04 00 00 00 00`)

describe('a binding request', () => {
  it('is parsed from the sample of RFC 5769: valid fingerprint, PRIORITY unknown', () => {
    expect(readBindingRequest(SAMPLE_REQUEST)).to.deep.equal({
      identity: SAMPLE_REQUEST.subarray(4, 20),
      fingerprint: true,
      unknown: [0x0024],
    })
  })

  it('may carry unrequested long-term credentials', () => {
    expect(readBindingRequest(LONG_TERM_REQUEST)).to.include({ fingerprint: false }).and.deep.include({
      unknown: [],
    })
  })

  it('is complete with twenty bytes', () => {
    expect(readBindingRequest(PLAIN)).to.deep.include({ fingerprint: false, unknown: [] })
  })

  it('may carry optional attributes, and attributes after MESSAGE-INTEGRITY are ignored', () => {
    expect(readBindingRequest(withAttributes('80 22 00 01 61 00 00 00'))).to.deep.include({ unknown: [] })
    const sealed = withAttributes(`00 08 00 14 ${'00'.repeat(20)} 7f 01 00 00`)
    expect(readBindingRequest(sealed)).to.deep.include({ unknown: [] })
  })

  it('lists each unknown mandatory attribute once', () => {
    const request = withAttributes('00 03 00 04 00 00 00 06  00 24 00 00  00 03 00 00  c0 57 00 00')
    expect(readBindingRequest(request)?.unknown).to.deep.equal([0x0003, 0x0024])
  })
})

describe('any other datagram', () => {
  const silent = (title: string, datagram: Buffer) =>
    it(`gets no response: ${title}`, () => expect(readBindingRequest(datagram)).to.equal(undefined))
  const changed = (datagram: Buffer, at: number, value: number) => {
    const copy = Buffer.from(datagram)
    copy[at] = value
    return copy
  }

  silent('nothing', Buffer.alloc(0))
  silent('nineteen bytes', PLAIN.subarray(0, 19))
  silent('a response', SAMPLE_RESPONSE)
  silent('an indication', changed(PLAIN, 1, 0x11))
  silent('another method', changed(PLAIN, 1, 0x03))
  silent('non-zero first bits, as in RTP or DTLS', changed(PLAIN, 0, 0x80))
  silent('another cookie, as in RFC 3489', changed(PLAIN, 4, 0x22))
  silent('a length that is too long', changed(PLAIN, 3, 4))
  silent('a length that is too short', changed(withAttributes('80 22 00 00'), 3, 0))
  silent('a length that is no multiple of four', Buffer.concat([changed(PLAIN, 3, 2), Buffer.alloc(2)]))
  silent('bytes after the message', Buffer.concat([PLAIN, Buffer.alloc(4)]))
  silent('an attribute that goes beyond the message', withAttributes('80 22 00 08 61 61 61 61'))
  silent('an attribute whose padding goes beyond the message', withAttributes('80 22 ff ff'))
  silent('a fingerprint of something else', changed(SAMPLE_REQUEST, SAMPLE_REQUEST.length - 1, 0xce))
  silent('bytes that do not match the fingerprint', changed(SAMPLE_REQUEST, 30, 0x00))
  silent('a fingerprint of the wrong size', withAttributes('80 28 00 02 00 00 00 00'))
  silent(
    'an attribute after a valid fingerprint',
    Buffer.concat([fingerprinted(changed(FINGERPRINTED, 3, 12)), bytes('80 22 00 00')]),
  )

  it('gets no response for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), datagram => {
        expect(readBindingRequest(Buffer.from(datagram))).to.equal(undefined)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a response', () => {
  const answer = (datagram: Buffer, address = '192.0.2.1', port = 32853) =>
    answerTo(readBindingRequest(datagram)!, address, port)

  it('contains the source address of the request, and nothing else', () => {
    expect(answer(PLAIN)).to.deep.equal(bytes(`01 01 00 0c ${IDENTITY} 00 20 00 08 00 01 a1 47 e1 12 a6 43`))
  })

  it('masks an IPv6 address with the transaction id too', () => {
    const from = '2001:db8:1234:5678:11:2233:4455:6677'
    expect(answer(PLAIN, from)).to.deep.equal(
      Buffer.concat([bytes(`01 01 00 18 ${IDENTITY} 00 20 00 14`), SAMPLE_IPV6]),
    )
  })

  it('has a fingerprint if the request had one', () => {
    const request = Buffer.concat([FINGERPRINTED.subarray(0, 24), bytes('9e 5d 2a 70')])
    const right = fingerprinted(request)
    const reply = answer(right)
    expect(reply.subarray(0, -8)).to.deep.equal(
      bytes(`01 01 00 14 ${IDENTITY} 00 20 00 08 00 01 a1 47 e1 12 a6 43`),
    )
    expect(reply).to.deep.equal(fingerprinted(reply))
  })

  it('is 420 with the unknown attributes', () => {
    expect(answer(withAttributes('00 24 00 00 00 25 00 00 00 03 00 00'))).to.deep.equal(
      bytes(`01 11 00 14 ${IDENTITY} 00 09 00 04 00 00 04 14 00 0a 00 06 00 24 00 25 00 03 00 00`),
    )
  })

  it('lists at most eight of them', () => {
    const many = Array.from({ length: 50 }, (_, i) => `7f ${(i + 16).toString(16)} 00 00`).join('')
    expect(answer(withAttributes(many)).length).to.equal(20 + 8 + 4 + 16)
  })

  it('has a minimal length for any request', () => {
    const attributes = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 0xffff }), fc.uint8Array({ maxLength: 40 })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(attributes, fc.boolean(), (list, v6) => {
        const parts = list.map(([type, value]) => {
          const part = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
          part.writeUInt16BE(type, 0)
          part.writeUInt16BE(value.length, 2)
          part.set(value, 4)
          return part.toString('hex')
        })
        const datagram = withAttributes(parts.join(''))
        const request = readBindingRequest(datagram)
        if (!request) return
        const reply = answerTo(request, v6 ? '2001:db8::1' : '192.0.2.1', 1)
        expect(reply.length - datagram.length).to.be.at.most(v6 ? 24 : 12)
        expect(reply.readUInt16BE(2)).to.equal(reply.length - 20)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an address', () => {
  it('is masked as in the samples of RFC 5769', () => {
    const mask = SAMPLE_REQUEST.subarray(4, 20)
    expect(xorMappedAddress('192.0.2.1', 32853, mask)).to.deep.equal(bytes('00 01 a1 47 e1 12 a6 43'))
    expect(xorMappedAddress('2001:db8:1234:5678:11:2233:4455:6677', 32853, mask)).to.deep.equal(SAMPLE_IPV6)
  })

  it('is parsed in every notation of sockets', () => {
    expect(addressBytes('::ffff:192.0.2.1')).to.deep.equal([192, 0, 2, 1])
    expect(addressBytes('::')).to.deep.equal(new Array(16).fill(0))
    expect(addressBytes('fe80::1%eth0')).to.deep.equal([0xfe, 0x80, ...new Array(13).fill(0), 1])
    expect(addressBytes('2001:DB8::')).to.deep.equal([0x20, 0x01, 0x0d, 0xb8, ...new Array(12).fill(0)])
    expect(addressBytes('64:ff9b::192.0.2.1')).to.deep.equal([
      0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 1,
    ])
  })
})

/** The message with the fingerprint of RFC 8489, 14.7 in its last four bytes, computed bit by bit. */
function fingerprinted(message: Buffer): Buffer {
  let crc = 0xffffffff
  for (const byte of message.subarray(0, -8)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  const copy = Buffer.from(message)
  copy.writeUInt32BE((crc ^ 0xffffffff ^ 0x5354554e) >>> 0, message.length - 4)
  return copy
}
