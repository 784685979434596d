import { expect } from 'chai'
import type { Stores } from '#shared/stores/stores.ts'
import { longReadsAtOnce } from './at-once.ts'

describe('long reads at once', () => {
  const storesOf = (rate_limit_enabled: boolean) =>
    ({ settings: { current: { rate_limit_enabled } } }) as Stores
  const never = () => new Promise<string>(() => {})

  it('of a person are three in a process, whichever endpoints they are of', async () => {
    const stores = storesOf(true)
    const [searches, threads, files] = [1, 2, 3].map(() => longReadsAtOnce(stores))
    for (const reads of [searches!, threads!]) void reads('ada', never)
    expect(await files!('ada', async () => 'the third')).to.equal('the third')
    void files!('ada', never)
    const refused = await searches!('ada', async () => 'the fourth').catch(err => err.status)
    expect(refused).to.equal(429)
    expect(await searches!('bob', async () => 'of somebody else')).to.equal('of somebody else')
  })

  it('are not bounded without limits', async () => {
    const reads = longReadsAtOnce(storesOf(false))
    for (let i = 0; i < 5; i++) void reads('ada', never)
    expect(await reads('ada', async () => 'done')).to.equal('done')
  })
})
