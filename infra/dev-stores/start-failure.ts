import { closeSync, fstatSync, openSync, readSync, statfsSync } from 'node:fs'

/** Free space below which a store may be unable to start, bytes: PostgreSQL allocates its log in pieces of 16 MiB. */
const NEEDED = 16 * 1024 * 1024
/** Bytes read from the end of a log. */
const READ = 16 * 1024
const LINES = 5

/** Why a store ended at its start: in the first line a full disk or its last error, then the end of its log. */
export function startFailure(name: string, { log, folder }: { log: string; folder: string }): Error {
  const lines = lastLines(log)
  const said = lines.findLast(line => /FATAL|PANIC|# /.test(line)) ?? lines.at(-1) ?? 'its log is empty'
  const cause = isFull(folder) ? `the disk of ${folder} is full` : said
  return new Error([`${name} ended at its start: ${cause} (log: ${log})`, ...lines].join('\n'))
}

function isFull(folder: string) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < NEEDED
  } catch {
    return false
  }
}

function lastLines(log: string): string[] {
  try {
    const file = openSync(log, 'r')
    try {
      const { size } = fstatSync(file)
      const end = Buffer.alloc(Math.min(size, READ))
      readSync(file, end, 0, end.length, size - end.length)
      return end.toString('utf8').trim().split('\n').slice(-LINES)
    } finally {
      closeSync(file)
    }
  } catch {
    return []
  }
}
