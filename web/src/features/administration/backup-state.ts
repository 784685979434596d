import type { BackupPayload } from '#shared/domain/payloads/administration.ts'
import type { Seconds } from '#shared/domain/units.ts'

export type Proven = BackupPayload & { verified_ts: Seconds }

export const isRunning = ({ done_ts }: BackupPayload) => done_ts === null

export const isProven = (item: BackupPayload): item is Proven => item.verified_ts !== null

/** Newest first. */
export const lastProven = (items: readonly BackupPayload[]): Proven | undefined => items.find(isProven)

/** For the command line of `npm start` and of Compose; the path is quoted where a shell would split it. */
export function commandsFor(verb: string, folder: string | null, name: string): string[] {
  const path = pathIn(folder ?? '', name)
  const quoted = /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
  const words = verb.replace('<backup>', quoted)
  return [`npm run admin -- ${words}`, `docker compose run --rm admin ${words}`]
}

/** `s3://bucket/prefix?endpoint=…` has its options at the end. */
function pathIn(folder: string, name: string): string {
  if (!folder.startsWith('s3:')) return `${folder}/${name}`
  const [place = '', options] = folder.split('?', 2)
  return `${place.replace(/\/+$/, '')}/${name}${options === undefined ? '' : `?${options}`}`
}
