/** Capitals for a person without a picture: of the first two words, else the first two letters. */
export function initialsIn(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const [first = [], second] = words.map(word => Array.from(word))
  const letters = second ? [first[0], second[0]] : first.slice(0, 2)
  return letters.join('').toUpperCase() || '?'
}
