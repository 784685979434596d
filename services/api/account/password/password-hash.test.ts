import { pbkdf2Sync } from 'node:crypto'
import { expect } from 'chai'
import { HttpError } from '#shared/runtime/http-errors.ts'
import { hashPassword, recordFrom, verifyPassword } from './password-hash.ts'

const PASSWORD = 'Kettle-on-1'
const CHEAP = 1_000

describe('the stored form of a password (interface 2.1, 5)', () => {
  it('names its method and cost, and verifies with any PBKDF2-HMAC-SHA256', async () => {
    const stored = await hashPassword(PASSWORD, CHEAP)
    const [method, iterations, salt, hash] = stored.split('$')
    expect([method, iterations]).to.deep.equal(['pbkdf2-sha256', '1000'])
    expect(Buffer.from(salt!, 'base64')).to.have.length(16)
    const again = pbkdf2Sync(PASSWORD, Buffer.from(salt!, 'base64'), CHEAP, 32, 'sha256')
    expect(hash).to.equal(again.toString('base64'))
  })

  it('differs for each call, because the salt is random', async () => {
    expect(await hashPassword(PASSWORD, CHEAP)).to.not.equal(await hashPassword(PASSWORD, CHEAP))
  })

  it('accepts the exact password only', async () => {
    const stored = await hashPassword(PASSWORD, CHEAP)
    expect(await verifyPassword(PASSWORD, stored, CHEAP)).to.equal('right')
    for (const near of ['', 'kettle-on-1', `${PASSWORD} `, ` ${PASSWORD}`]) {
      expect(await verifyPassword(near, stored, CHEAP), JSON.stringify(near)).to.equal('wrong')
    }
  })

  it('accepts every character in a password, including NUL and emoji', async () => {
    const odd = 'Zelt\0-⛺-e\u0301-1'
    const stored = await hashPassword(odd, CHEAP)
    expect(await verifyPassword(odd, stored, CHEAP)).to.equal('right')
    expect(await verifyPassword(odd.normalize('NFC'), stored, CHEAP)).to.equal('wrong')
  })

  it('reports a record with too few iterations, and never one with more', async () => {
    const stored = await hashPassword(PASSWORD, CHEAP)
    expect(await verifyPassword(PASSWORD, stored, CHEAP + 1)).to.equal('right, but cheap')
    expect(await verifyPassword(PASSWORD, stored, CHEAP - 1)).to.equal('right')
  })

  it('is parsed strictly: a malformed record fails for every password', async () => {
    const stored = await hashPassword(PASSWORD, CHEAP)
    const [method, , salt, hash] = stored.split('$')
    const broken = [
      '',
      'x',
      `${stored} `,
      `${stored}$`,
      `sha256$1000$${salt}$${hash}`,
      `${method}$0$${salt}$${hash}`,
      `${method}$01000$${salt}$${hash}`,
      `${method}$1e3$${salt}$${hash}`,
      `${method}$5000001$${salt}$${hash}`,
      `${method}$1000$${salt}$`,
      `${method}$1000$$${hash}`,
      `${method}$1000$${salt}$${hash!.slice(0, 20)}`,
    ]
    for (const record of broken) {
      expect(recordFrom(record), record).to.equal(undefined)
      expect(await verifyPassword(PASSWORD, record, CHEAP), record).to.equal('wrong')
    }
  })

  it('takes as long for an unknown name as for a known one', async () => {
    const iterations = 100_000
    const stored = await hashPassword(PASSWORD, iterations)
    const known = await fastest(() => verifyPassword('wrong', stored, iterations))
    const unknown = await fastest(() => verifyPassword('wrong', undefined, iterations))
    expect(unknown / known).to.be.within(0.5, 2)
  })

  it('keeps a short queue and refuses the rest with 429', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () => hashPassword(PASSWORD, 20_000)),
    )
    const refused = outcomes.filter(outcome => outcome.status === 'rejected').map(outcome => outcome.reason)
    expect(refused.length).to.be.within(100, 170)
    for (const reason of refused) expect(reason).to.be.instanceOf(HttpError).with.property('status', 429)
    expect(await hashPassword(PASSWORD, CHEAP), 'room again').to.be.a('string')
  })
})

async function fastest(work: () => Promise<unknown>) {
  let best = Infinity
  for (let i = 0; i < 5; i++) {
    const began = performance.now()
    await work()
    best = Math.min(best, performance.now() - began)
  }
  return best
}
