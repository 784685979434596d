import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { DEFAULTS } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { rateLimits } from './rate-limits.ts'
import { hashOfToken, newTokenText } from './token-text.ts'
import { readToken } from './tokens.ts'

describe('look-ups of tokens', () => {
  const ADA = newTokenText()
  const OFFICE = '192.0.2.1'

  /** Stores with the token of ada, and the statements they ran. */
  function storesOf() {
    const statements: string[] = []
    const hash = hashOfToken(ADA)
    const row = {
      id: 1,
      username: 'ada',
      scopes: ['read'],
      channels: null,
      expires_ts: null,
      last_used_ts: 100,
    }
    const db = {
      async query(sql: string, [wanted]: [Buffer | Buffer[]]) {
        statements.push(sql)
        const isThere = [wanted].flat().some(one => hash.equals(one))
        return { rows: isThere ? [{ ...row, hash }] : [] }
      },
    }
    const stores = {
      db,
      redis: { get: async () => null, set: async () => 'OK', on() {} },
      keys: { token: String, ratePrefix: () => 'rate' },
      clock: { now: () => 100 },
      settings: { current: DEFAULTS },
    } as unknown as Stores
    const read = (text: string, address = OFFICE) =>
      readToken(stores, { headers: { authorization: `Bearer ${text}` } } as IncomingMessage, address)
    return { statements, stores, read }
  }
  const unknown = (count: number) => Array.from({ length: count }, () => newTokenText())

  it('cost a statement each while an address has few requests that are nobody’s', async () => {
    const { statements, read } = storesOf()
    expect(await Promise.all(unknown(3).map(text => read(text)))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ])
    expect(statements).to.have.length(3)
    expect((await read(ADA))?.username).to.equal('ada')
  })

  it('of an address with many cost one statement together, and find the tokens of others behind it', async () => {
    const { statements, stores, read } = storesOf()
    const [most] = DEFAULTS.rate_limits.anonymous
    await rateLimits(stores)(['anonymous', OFFICE, most])
    const tokens = await Promise.all([...unknown(50), ADA].map(text => read(text)))
    expect(tokens.map(token => token?.username).filter(Boolean)).to.deep.equal(['ada'])
    expect(statements, 'all together, then the token of ada').to.have.length(2)
    await Promise.all(unknown(2).map(text => read(text)))
    expect(statements, 'later ones').to.have.length(3)
    await Promise.all(unknown(2).map(text => read(text, '192.0.2.2')))
    expect(statements, 'elsewhere').to.have.length(5)
  })

  it('that fail, fail for each of them, and are repeated', async () => {
    const { stores, read } = storesOf()
    await rateLimits(stores)(['anonymous', OFFICE, DEFAULTS.rate_limits.anonymous[0]])
    const { query } = stores.db
    stores.db.query = (async () => {
      throw new Error('away')
    }) as unknown as typeof query
    const results = await Promise.allSettled([...unknown(2), ADA].map(text => read(text)))
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    stores.db.query = query
    expect((await read(ADA))?.username).to.equal('ada')
  })
})
