/**
 * Tries until it no longer throws: tests wait for conditions, never for time. What is met is not waited for, so there is
 * patience for a machine that does much else; mocha's own has to be longer.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, within = 15_000): Promise<T> {
  for (const end = Date.now() + within; ; ) {
    try {
      return await attempt()
    } catch (err) {
      if (Date.now() > end) throw err
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
