import { expect } from 'chai'
import { killableRedis } from '#shared/test-kit/killable-redis.ts'
import { Program, programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('tokens while Redis is away (interface 19)', function () {
  this.timeout(60_000)
  let redis: Awaited<ReturnType<typeof killableRedis>>
  let world: World
  before(async function () {
    redis = await killableRedis(this as never)
    world = await newWorld({ apis: 2, env: { REDIS_URL: redis.url } })
  })
  after(async () => {
    await world?.end()
    await redis?.stop()
  })

  it('end at once, and stay ended when it is back with what it had cached', async () => {
    const { ada } = world
    const program = await programOf(ada)
    const everywhere = world.api.map(({ url }) => new Program(ada.name, url, program.token))
    const statuses = () => Promise.all(everywhere.map(async one => (await one.fetch('/me')).status))
    // Until it is cached.
    const until = performance.now() + 11_000
    while (performance.now() < until) expect(await statuses()).to.deep.equal([200, 200])
    await redis.kill()
    expect(await statuses()).to.deep.equal([200, 200])
    expect((await ada.fetch(`/tokens/${program.id}`, { method: 'DELETE' })).status).to.equal(204)
    expect(await statuses()).to.deep.equal([401, 401])
    await redis.start()
    const end = performance.now() + 4_000
    while (performance.now() < end) expect(await statuses()).to.deep.equal([401, 401])
  })
})
