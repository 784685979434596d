/**
 * Repeats `attempt` until it does not throw: tests wait for conditions, never for time. The default time-out allows for
 * a busy machine; mocha's must be longer.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, within = 25_000): Promise<T> {
  for (const end = Date.now() + within; ; ) {
    try {
      return await attempt()
    } catch (err) {
      if (Date.now() > end) throw err
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
