import { expect } from 'chai'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { failureOf, forgetFailure, noteFailure } from './incidents.ts'

describe('failures that a hook told', () => {
  let backing: TestBacking
  let stores: OpenStores
  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
  })
  after(async () => {
    await stores?.stop()
    await backing?.drop()
  })

  it('are found by their name, of this hook alone, until they are over', async () => {
    await noteFailure(stores, 1, 'disk', 9_007_199_254_740_991)
    expect(await failureOf(stores, 1, 'disk')).to.equal(9_007_199_254_740_991)
    expect(await failureOf(stores, 2, 'disk')).to.equal(undefined)
    await forgetFailure(stores, 1, 'disk')
    expect(await failureOf(stores, 1, 'disk')).to.equal(undefined)
  })

  it('are the newest 1,000, under one key that expires', async () => {
    for (let from = 0; from < 1_100; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => noteFailure(stores, 3, `of ${from + i}`, from + i + 1)),
      )
    expect(await failureOf(stores, 3, 'of 99')).to.equal(undefined)
    expect(await failureOf(stores, 3, 'of 100')).to.equal(101)
    const key = stores.keys.hookIncidents(3)
    expect(await stores.redis.zcard(key)).to.equal(1_000)
    expect(await stores.redis.ttl(key)).to.be.within(604_000, 604_800)
  })
})
