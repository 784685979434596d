/** Time that `work` takes, ms. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * The longest of several runs of `work`, ms. Tests of a duration add a multiple of it to their limit: each step takes
 * long on a loaded machine.
 */
export async function longestOf(work: () => Promise<unknown>, runs = 5): Promise<number> {
  let longest = 0
  for (let run = 0; run < runs; run++) longest = Math.max(longest, await timeOf(work))
  return longest
}
