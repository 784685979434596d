/** Tries until it no longer throws: tests wait for conditions, never for time. */
export async function eventually<T>(attempt: () => T | Promise<T>, within = 5_000): Promise<T> {
  for (const end = Date.now() + within; ; ) {
    try {
      return await attempt()
    } catch (err) {
      if (Date.now() > end) throw err
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
