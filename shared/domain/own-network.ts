/** A host of this machine or of a network of one's own: only there may strangers get in. */
export function isLocal(name: string): boolean {
  const [, first, second] = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(name)?.map(Number) ?? []
  if (first !== undefined && second !== undefined)
    return (
      first === 10 ||
      first === 127 ||
      (first === 172 && second >= 16 && second < 32) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254)
    )
  if (name.startsWith('[')) return /^\[(::1\]|f[cd][0-9a-f]{2}:|fe80:)/i.test(name)
  return !name.includes('.') || /\.(local|lan|internal|home|localhost|home\.arpa|test)$/i.test(name)
}

export const isThisMachine = (name: string) =>
  name === 'localhost' || name.startsWith('127.') || name === '[::1]'
