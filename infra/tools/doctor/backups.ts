import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSamePlace } from '#shared/backup/bucket-place.ts'
import { bucketAddress } from '#shared/runtime/bucket-address.ts'
import { backupFolderIn, ROOT } from '#shared/runtime/config.ts'
import { unusable, variableText } from '#shared/runtime/variables.ts'
import { DATA } from '../environment.ts'
import { examineBucket } from './bucket.ts'
import { type Finding, fault, good, ofFault, skipped, warning } from './finding.ts'
import { examineFolder, roomIn } from './folders.ts'
import { usableValue } from './variables.ts'

/** The place of the nightly backups. `newest` is the path of the newest one that the database knows. */
export async function examineBackups(
  env: NodeJS.ProcessEnv,
  { filesUrl, newest }: { filesUrl: string | undefined; newest: string | undefined },
): Promise<Finding[]> {
  const part = 'backup folder'
  // Elsewhere than with `npm start`, there is no default.
  const text = env['BACKUP_DIR'] ?? (existsSync(DATA) ? backupFolderIn(DATA) : '')
  if (text === '')
    return [
      warning(part, 'BACKUP_DIR is not set: no backup is made at night', 'Set it, best to another disk.'),
    ]
  if (env['BACKUP_DIR'] && usableValue(env, 'BACKUP_DIR') === undefined)
    return [skipped(part, 'BACKUP_DIR is not usable')]
  const sealed = variableText('BACKUP_PASSPHRASE', env)
    ? good('backup secrets', 'backups are encrypted and have the keys')
    : warning(
        'backup secrets',
        'backups are not encrypted, and lack the keys (SESSION_SECRET, SECRETS_KEY)',
        'Set BACKUP_PASSPHRASE, and keep it elsewhere too.',
      )
  if (text.startsWith('s3:'))
    return [await examineBucket('backup bucket', text), ...sameBucket(text, filesUrl), sealed].flat()
  const path = resolve(ROOT, text)
  const folder = await examineFolder({ part, variable: 'BACKUP_DIR', text, path })
  return [
    folder,
    ...(existsSync(path) ? [await roomIn('room for backups', path)] : []),
    ...(folder.state === 'fault' ? [] : lost(path, text, newest)),
    ...sameDisk(path, filesUrl),
    sealed,
  ]
}

/** A folder without its newest backup may be the empty mount point of a disk that is away. */
function lost(folder: string, text: string, newest: string | undefined): Finding[] {
  if (newest === undefined || dirname(newest) !== folder || existsSync(newest)) return []
  const next = 'Mount the disk of the backups; or make one now: npm run admin -- backup.'
  return [ofFault('backup folder')(unusable('BACKUP_DIR', text, `the newest backup ${newest} is gone`, next))]
}

/** Backups beside the files are lost with them. */
function sameBucket(backups: string, files: string | undefined): Finding[] {
  if (!files?.startsWith('s3:')) return []
  if (isSamePlace(backups, files))
    return [
      fault(
        'backup place',
        'FILES_URL and BACKUP_DIR have the same prefix: no backup is made',
        'Give them different ones.',
      ),
    ]
  if (bucketAddress(backups).url.href !== bucketAddress(files).url.href) return []
  const next = 'Set BACKUP_DIR to another bucket, best of another place and other keys.'
  return [warning('backup place', 'backups are in the bucket of the files', next)]
}

/** A backup beside the data is lost with the disk. */
function sameDisk(folder: string, filesUrl: string | undefined): Finding[] {
  if (!filesUrl?.startsWith('file:')) return []
  const files = fileURLToPath(filesUrl)
  if (!existsSync(folder) || !existsSync(files) || statSync(folder).dev !== statSync(files).dev) return []
  const next = 'Set BACKUP_DIR to another disk, or copy the folder off this machine each day.'
  return [warning('backup disk', `${folder} is on the disk of the uploads`, next)]
}
