/** Moves in a grid of groups, each of which begins a row. Pure. */

/** Index after a key, across all groups; `onward` is 1, or -1 where the script runs to the left. */
export function movedInGrid(
  sizes: number[],
  columns: number,
  at: number,
  key: string,
  onward: 1 | -1,
): number {
  const count = sizes.reduce((sum, size) => sum + size, 0)
  const beside = { ArrowRight: onward, ArrowLeft: -onward }[key]
  if (beside !== undefined) return Math.min(Math.max(at + beside, 0), count - 1)
  const starts = rowStarts(sizes, columns)
  const row = starts.findLastIndex(start => start <= at)
  const next = row + (key === 'ArrowDown' ? 1 : -1)
  const start = starts[next]
  if (start === undefined) return at
  const end = (starts[next + 1] ?? count) - 1
  return Math.min(start + at - starts[row]!, end)
}

function rowStarts(sizes: number[], columns: number): number[] {
  const starts: number[] = []
  let from = 0
  for (const size of sizes) {
    for (let at = 0; at < size; at += columns) starts.push(from + at)
    from += size
  }
  return starts
}
