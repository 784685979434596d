import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULTS } from '#shared/runtime/settings.ts'
import { unusable, type VariableName } from '#shared/runtime/variables.ts'
import { examineBucket } from './bucket.ts'
import { type Finding, fault, good, ofFault, skipped, warning, whyNot } from './finding.ts'
import { unmountedAbove } from './mounts.ts'

const GIB = 2 ** 30
/** Below this, the next large upload or migration may fill a disk. */
const LEAST_FREE = GIB

interface Folder {
  part: string
  variable: VariableName
  /** As the variable has it. */
  text: string
  path: string
}

/** The folder of the uploads: there, writable, with room. */
export async function examineFiles(filesUrl: string): Promise<Finding[]> {
  const part = 'files'
  if (filesUrl.startsWith('s3:')) return [await examineBucket(part, filesUrl)].flat()
  const path = fileURLToPath(filesUrl)
  const state = await examineFolder({ part, variable: 'FILES_URL', text: filesUrl, path })
  return state.state === 'good' && existsSync(path) ? [state, await roomIn('room for files', path)] : [state]
}

/** A folder of a variable: its disk is mounted, and this account can write it or make it. */
export async function examineFolder({ part, variable, text, path }: Folder): Promise<Finding> {
  const told = (reason: string, next: string) => ofFault(part)(unusable(variable, text, reason, next))
  const unmounted = unmountedAbove(path)
  if (unmounted !== undefined)
    return told(`the disk of ${unmounted} (/etc/fstab) is not mounted`, `Run mount ${unmounted}.`)
  try {
    if (existsSync(path)) {
      await writeProbe(path)
      return good(part, `${path} can be written`)
    }
    await access(await nearestFolder(path), constants.W_OK)
    return skipped(part, `${path} is made when it is first needed; mount its disk before, if it has one`)
  } catch (err) {
    return told(
      `the folder cannot be written: ${whyNot(err)}`,
      'Mount its disk, or give it to the account of the processes (chown).',
    )
  }
}

async function writeProbe(folder: string) {
  const probe = join(folder, `.doctor-${randomUUID()}`)
  try {
    await writeFile(probe, 'x', { flush: true })
  } finally {
    // On a full disk the file is made and stays empty.
    await rm(probe, { force: true })
  }
}

/** The folder in which the missing ones would be made. */
async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  if (!existsSync(parent) && parent !== path) return nearestFolder(parent)
  if (!(await stat(parent)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  return parent
}

export async function roomIn(part: string, folder: string): Promise<Finding> {
  if (!existsSync(folder)) return skipped(part, `${folder} does not exist yet`)
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = bavail * bsize
  const percent = (bavail / blocks) * 100
  const found = `${(free / GIB).toFixed(1)} GiB are free (${percent.toFixed(0)} %) at ${folder}`
  if (free < LEAST_FREE || percent < DEFAULTS.min_free_disk_percent)
    return fault(part, found, 'Make room: below 5 % uploads are refused, and PostgreSQL stops at 0.')
  if (percent < 2 * DEFAULTS.min_free_disk_percent) return warning(part, found, 'Make room, or add a disk.')
  return good(part, found)
}
