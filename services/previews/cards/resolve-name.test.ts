import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { expect } from 'chai'
import { type NameResolver, openNameResolver } from './resolve-name.ts'

const A = 1
const AAAA = 28

/** Records of the test's name server; it does not answer for other names. */
const ZONE: Record<string, { rcode?: number; a?: number[][]; aaaa?: number[][] }> = {
  'both.test': { a: [[93, 184, 216, 34]], aaaa: [[0x20, 1, 0x48, 0x60, ...Array(11).fill(0), 1]] },
  'four.test': {
    a: [
      [10, 0, 0, 1],
      [93, 184, 216, 34],
    ],
  },
  'nothing.test': {},
  'none.test': { rcode: 3 },
  'ill.test': { rcode: 2 },
}

describe('looking up a name', () => {
  const server = createSocket('udp4')
  let asked: string[] = []
  let names: NameResolver

  before(async () => {
    server.on('message', (question, from) => {
      const { name, type, end } = questionOf(question)
      asked.push(name)
      const known = ZONE[name]
      if (!known) return
      const found = (type === A ? known.a : type === AAAA ? known.aaaa : undefined) ?? []
      const head = Buffer.from(question.subarray(0, 12))
      head.writeUInt16BE(0x8180 | (known.rcode ?? 0), 2)
      head.writeUInt16BE(found.length, 6)
      head.writeUInt16BE(0, 10)
      const records = found.map(address =>
        Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
      )
      server.send(Buffer.concat([head, question.subarray(12, end), ...records]), from.port, from.address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
  })

  beforeEach(() => {
    asked = []
    names = openNameResolver([`127.0.0.1:${server.address().port}`])
  })

  afterEach(() => names.close())
  after(() => server.close())

  const lookUp = (name: string) =>
    new Promise<LookupAddress[] | string | undefined>(resolve =>
      names.lookup(name, { all: true }, (err, addresses) =>
        resolve(err ? String(err.code) : (addresses as LookupAddress[])),
      ),
    )

  it('returns all addresses of both families', async () => {
    expect(await lookUp('both.test')).to.deep.equal([
      { address: '93.184.216.34', family: 4 },
      { address: '2001:4860::1', family: 6 },
    ])
    expect(await lookUp('four.test'))
      .to.deep.include({ address: '10.0.0.1', family: 4 })
      .and.have.length(2)
  })

  it('returns a single address without the option `all`', async () => {
    const one = new Promise(resolve =>
      names.lookup('both.test', {}, (_err, address, family) => resolve([address, family])),
    )
    expect(await one).to.deep.equal(['93.184.216.34', 4])
  })

  it('distinguishes an unknown name from a failing server', async () => {
    expect(await lookUp('none.test')).to.equal('ENOTFOUND')
    expect(await lookUp('nothing.test')).to.equal('ENODATA')
    expect(await lookUp('ill.test')).to.be.oneOf(['ESERVFAIL', 'ECONNREFUSED'])
  })

  it('is not delayed by names with a silent server', async () => {
    const silent = Array.from({ length: 50 }, (_, index) => lookUp(`silent-${index}.test`))
    expect(await Promise.race([lookUp('both.test'), ...silent])).to.have.length(2)
    names.close()
    expect(new Set(await Promise.all(silent))).to.deep.equal(new Set(['ECANCELLED']))
    expect(asked).to.include('silent-49.test')
  })

  it('times out', async () => {
    expect(await lookUp('silent.test')).to.equal('ETIMEOUT')
  })
})

function questionOf(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}
