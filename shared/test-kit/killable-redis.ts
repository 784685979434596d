import { NoRedis, startKillableRedis } from '../../infra/dev-stores/redis.ts'

/** Starts a Redis that a test may break. Skips the test without a Redis program, where others use containers. */
export async function killableRedis(test: Mocha.Context): ReturnType<typeof startKillableRedis> {
  try {
    return await startKillableRedis(() => {})
  } catch (err) {
    if (err instanceof NoRedis) test.skip()
    throw err
  }
}
