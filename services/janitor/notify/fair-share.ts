/** The largest share of each, so that all together are at most `most`: a smaller one keeps what it has. */
export function fairShare(sizes: readonly number[], most: number): number {
  let left = most
  for (const [at, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - at)
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}
