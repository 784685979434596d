import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#shared/runtime/config.ts'
import { upgradeReminder } from '#shared/runtime/upgraded-to.ts'
import { variableText } from '#shared/runtime/variables.ts'
import { DATA, whileRunning } from '../environment.ts'
import { examineAddresses } from './addresses.ts'
import { examineBackups } from './backups.ts'
import { examineCalls } from './calls.ts'
import { examineDatabases, newestBackup } from './database.ts'
import { type Finding, guarded, skipped, warning } from './finding.ts'
import { examineFiles, examineFolder, roomIn } from './folders.ts'
import { examineHttps } from './https.ts'
import {
  examineData,
  examinePorts,
  examineSecrets,
  examineSettings,
  settingsFileOf,
  stunPortOf,
} from './machine.ts'
import { examineRedisServers } from './redis.ts'
import { examineStoredSecrets } from './stored-secrets.ts'
import { examineListening, examineVariables, usableValue } from './variables.ts'

/**
 * Examines the installation of the environment, or that of the `npm start` that runs from this clone. Changes nothing. A
 * wrong variable is one line, and ends no other examination.
 */
export async function examine(): Promise<Finding[]> {
  const { env } = process
  const filesUrl = env['FILES_URL'] ? usableValue(env, 'FILES_URL') : pathToFileURL(join(DATA, 'files')).href
  const address = whileRunning('address')
  const findings = await Promise.all([
    guarded('variables', () => examineVariables(env)),
    guarded('settings', () => examineSettings(settingsFileOf(env), env)),
    guarded('secrets', () =>
      examineSecrets(env, resolve(ROOT, env['SESSION_SECRET_FILE'] || join(DATA, 'session-secret'))),
    ),
    guarded('https', () => examineHttps(env)),
    guarded('address', () => examineAddresses(env)),
    guarded('database', () => examineDatabases(env)),
    guarded('stored secrets', () => examineStoredSecrets(env)),
    guarded('redis', () => examineRedisServers(env)),
    guarded('files', () =>
      filesUrl === undefined ? skipped('files', 'FILES_URL is not usable') : examineFiles(filesUrl),
    ),
    guarded('incoming', () => incomingFolder(env, filesUrl)),
    guarded('data', () => examineData(env)),
    guarded('room for data', async () => (existsSync(DATA) ? await roomIn('room for data', DATA) : [])),
    guarded('backup folder', async () =>
      examineBackups(env, { filesUrl, newest: await newestBackup(env).catch(() => undefined) }),
    ),
    guarded('ports', () => examinePorts(address, env)),
    guarded('listening', () => examineListening(env)),
    guarded('calls', () => examineCalls(address !== undefined, stunPortOf(env), env)),
  ])
  return [...findings.flat(), ...clone()]
}

/** With a bucket: the folder of uploads in progress. */
async function incomingFolder(env: NodeJS.ProcessEnv, filesUrl: string | undefined): Promise<Finding[]> {
  const text = variableText('INCOMING_DIR', env)
  const path = usableValue(env, 'INCOMING_DIR')
  if (text === undefined || path === undefined || !filesUrl?.startsWith('s3:')) return []
  return [await examineFolder({ part: 'incoming', variable: 'INCOMING_DIR', text, path })]
}

/** After an upgrade that did not change the clone. */
function clone(): Finding[] {
  const left = upgradeReminder(DATA, ROOT)
  return left === undefined ? [] : [warning('release', 'the clone is that before the last upgrade', left)]
}
