import { readFileSync } from 'node:fs'

/** The mount point of /etc/fstab that has the folder and is not mounted; undefined for none. */
export function unmountedAbove(
  folder: string,
  { wanted, mounted } = { wanted: contentOf('/etc/fstab'), mounted: contentOf('/proc/self/mounts') },
): string | undefined {
  // Without its list, as on macOS, nothing is known.
  if (mounted === '') return undefined
  const there = new Set(pointsIn(mounted))
  return pointsIn(wanted).find(
    point => point !== '/' && !there.has(point) && (folder === point || folder.startsWith(`${point}/`)),
  )
}

/** The second column; spaces in a path are octal there. */
const pointsIn = (table: string): string[] =>
  table
    .split('\n')
    .filter(line => !/^\s*(#|$)/.test(line))
    .flatMap(line => line.trim().split(/\s+/)[1] ?? [])
    .map(point => point.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))))
    .map(point => point.replace(/(?<=.)\/+$/, ''))
    .filter(point => point.startsWith('/'))

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
