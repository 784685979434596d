import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isSamePlace } from '#shared/backup/bucket-place.ts'
import { bucketAddress, bucketFault } from '#shared/runtime/bucket-address.ts'
import { backupFolderIn, ROOT } from '#shared/runtime/config.ts'
import { upgradeReminder } from '#shared/runtime/upgraded-to.ts'
import { DATA, secretFrom, whileRunning } from '../environment.ts'
import { examineBucket } from './bucket.ts'
import { examineCalls } from './calls.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fault, good, warning } from './finding.ts'
import { examineHttps } from './https.ts'
import {
  examineFiles,
  examinePorts,
  examineSecrets,
  examineSettings,
  examineVariables,
  roomIn,
  settingsFileOf,
  stunPortOf,
} from './machine.ts'
import { examineRedis } from './redis.ts'

/** Examines the installation of the environment, or that of the `npm start` that runs from this clone. Changes nothing. */
export async function examine(): Promise<Finding[]> {
  const { env } = process
  const filesUrl = env['FILES_URL'] || pathToFileURL(join(DATA, 'files')).href
  const address = whileRunning('address')
  const [database, redis, files, ports, calls] = await Promise.all([
    examineDatabase(
      secretFrom('DATABASE_DIRECT_URL') ?? secretFrom('DATABASE_URL') ?? whileRunning('database-url'),
    ),
    examineRedis(secretFrom('REDIS_URL') ?? whileRunning('redis-url')),
    examineFiles(filesUrl),
    examinePorts(address, env),
    examineCalls(address !== undefined, stunPortOf(env), env),
  ])
  return [
    ...examineVariables(env),
    ...examineSettings(settingsFileOf(env)),
    ...examineSecrets(env, resolve(ROOT, env['SESSION_SECRET_FILE'] || join(DATA, 'session-secret'))),
    ...examineHttps(env),
    ...database,
    ...redis,
    ...files,
    ...(existsSync(DATA) ? [await roomIn('room for data', DATA)] : []),
    ...(await backupFolder(env, filesUrl)),
    ...ports,
    calls,
    ...clone(),
  ]
}

/** After an upgrade that did not change the clone. */
function clone(): Finding[] {
  const left = upgradeReminder(DATA, ROOT)
  return left === undefined ? [] : [warning('release', 'the clone is that before the last upgrade', left)]
}

async function backupFolder(env: NodeJS.ProcessEnv, filesUrl: string): Promise<Finding[]> {
  // Elsewhere than with `npm start`, there is no default.
  const dir = env['BACKUP_DIR'] ?? (existsSync(DATA) ? backupFolderIn(DATA) : '')
  if (!dir)
    return [
      warning(
        'backup folder',
        'BACKUP_DIR is not set: no backup is made at night',
        'Set it, best to another disk.',
      ),
    ]
  const sealed = secretFrom('BACKUP_PASSPHRASE')
    ? good('backup secrets', 'backups are encrypted and have the session key')
    : warning(
        'backup secrets',
        'backups are not encrypted, and lack the session key',
        'Set BACKUP_PASSPHRASE, and keep it elsewhere too.',
      )
  if (dir.startsWith('s3:'))
    return [await examineBucket('backup bucket', dir), ...sameBucket(dir, filesUrl), sealed]
  const folder = resolve(ROOT, dir)
  return [await roomIn('backup folder', folder), ...sameDisk(folder, filesUrl), sealed]
}

/** Backups beside the files are lost with them. */
function sameBucket(backups: string, files: string): Finding[] {
  if (!files.startsWith('s3:') || bucketFault(files) !== undefined || bucketFault(backups) !== undefined)
    return []
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
function sameDisk(folder: string, filesUrl: string): Finding[] {
  if (!filesUrl.startsWith('file:')) return []
  const files = fileURLToPath(filesUrl)
  if (!existsSync(folder) || !existsSync(files) || statSync(folder).dev !== statSync(files).dev) return []
  const next = 'Set BACKUP_DIR to another disk, or copy the folder off this machine each day.'
  return [warning('backup disk', `${folder} is on the disk of the uploads`, next)]
}
