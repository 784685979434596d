import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ROOT } from '#shared/runtime/config.ts'
import { isAlive } from '#shared/runtime/is-alive.ts'
import { messageWithoutValues } from '#shared/runtime/log.ts'
import { type Step, type StepDone, type StepWanted, upgradeFiles } from '#shared/runtime/upgrade-protocol.ts'
import { checkoutSentence, noteUpgrade } from '#shared/runtime/upgraded-to.ts'
import { writeWhole } from '#shared/runtime/whole-file.ts'
import { isOlderRelease } from '#shared/stores/releases.ts'
import { DATA, whileRunning } from './environment.ts'

/**
 * The upgrade of an `npm start` that runs from this clone, and the way back. The new release is a folder beside the one
 * that runs, so that both programs are there until the end. The order is that of docs/operations.md, section 6:
 *
 * 1. build and doctor; 2. the processes stop; 3. a backup, by the release that ran; 4. migrations and 5. processes of the
 * new one; 6. smoke test, before the front door opens.
 *
 * A fault in 3 to 6 loses nothing, because people cannot write from 2 to 6: the former processes start again. If the new
 * schema excludes them, the backup is restored first.
 */
export interface Steps {
  say(line: string): void
  doctor(): Promise<{ faults: string[] }>
  /** Returns the path of a backup. */
  backup(): Promise<string>
  /** Restores it into a scratch database. */
  prove(backup: string): Promise<unknown>
  /** Returns the name of the database that was replaced. */
  restore(backup: string): Promise<string>
}

const FILES = upgradeFiles(DATA)
const DONE_WITHIN = 5 * 60_000
const run = promisify(execFile)

export interface Upgraded {
  from: string
  to: string
  root: string
  backup: string
  migrations: string[]
}

export async function upgrade(wanted: string, steps: Steps): Promise<Upgraded> {
  const { say } = steps
  const pid = runningProcess()
  const former = await releaseThatRuns()
  const release = await releaseIn(wanted, say)
  say(`From bothy ${former.version} to ${release.version} (${release.root}).`)

  const { faults } = await steps.doctor()
  if (faults.length > 0) throw new Error(`Not begun: ${faults.join('; ')}. Nothing was changed.`)
  const plan = await told<{ works_from: string | null; items: { name: string }[] }>(release.root, 'pending')
  const migrations = plan.items.map(({ name }) => name)
  const keepsUs = plan.works_from !== null && !isOlderRelease(former.version, plan.works_from)
  say(migrations.length === 0 ? 'No migrations.' : `Migrations: ${migrations.join(', ')}.`)
  if (!keepsUs) say(`bothy ${former.version} cannot run on that schema: the way back is the backup.`)

  const backup = await withoutSignals(say, async () => {
    await request(pid, { stop: true })
    say('The processes are stopped.')
    return replaced(pid, { former, release, keepsUs }, steps)
  })
  return { from: former.version, to: release.version, root: release.root, backup, migrations }
}

/** Ends with the processes of the new release, or rejects after those of the former one have started again. */
async function replaced(
  pid: number,
  { former, release, keepsUs }: { former: FoundRelease; release: FoundRelease; keepsUs: boolean },
  steps: Steps,
): Promise<string> {
  const { say } = steps
  /** Once the schema may exclude the former release. */
  let wayBack: string | undefined
  try {
    const backup = await steps.backup()
    // After an upgrade that went back, only the new release knows the schema.
    if (!keepsUs) await steps.prove(backup).catch(() => told(release.root, 'verify', backup, '--drill'))
    say(`Backup: ${backup}.`)
    if (!keepsUs) wayBack = backup
    await told(release.root, 'migrate')
    const places = await request(pid, { start: { root: release.root, commit: release.commit } })
    say('The processes are those of the new release.')
    const at = places ? ['--at', places.api, '--events-at', places.events] : []
    const { steps: passed } = await told<{ steps: string[] }>(release.root, 'smoke', ...at)
    say(`Smoke test: ${passed.join(', ')}.`)
    await request(pid, { open: true })
    return backup
  } catch (err) {
    const cause = messageWithoutValues(err)
    say(`${cause} Going back.`)
    const kept = await wentBack().catch(fault => {
      const restore = wayBack
        ? ` If bothy ${former.version} says that the database is newer: npm run admin -- restore ${wayBack} --replace`
        : ''
      const outcome = `${cause} The way back failed too: ${messageWithoutValues(fault)}${restore}`
      throw new Error(outcome, { cause: err })
    })
    const data = kept
      ? `, with the data of the backup; the database of the upgrade is ${kept}, and people sign in again`
      : ''
    const outcome = `${cause} Nothing was lost: bothy ${former.version} runs as before${data}.`
    throw new Error(`${outcome} Next: mend the cause, then the same upgrade again.`, { cause: err })
  }

  /** Returns the name of the database that a restore replaced, if there was one. */
  async function wentBack(): Promise<string | undefined> {
    await request(pid, { stop: true })
    // Before the former processes, which cannot start on the new schema.
    const kept = wayBack && (await restored(wayBack, release.root, steps))
    const { root, commit } = former
    // Also if a process is slow: the front door leaves it out until it responds.
    await request(pid, { start: { root, commit } }).finally(() => request(pid, { open: true }))
    return kept
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C ends the program at work, such as the migration, and so leads back. */
async function withoutSignals<T>(say: Steps['say'], work: () => Promise<T>): Promise<T> {
  const goesOn = () => say('Until this is done, or has gone back, people cannot use bothy.')
  for (const signal of SIGNALS) process.on(signal, goesOn)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, goesOn)
  }
}

/** By the new release where a former upgrade left migrations that this one does not have, and cannot restore. */
async function restored(backup: string, root: string, steps: Steps): Promise<string> {
  try {
    return await steps.restore(backup)
  } catch (err) {
    steps.say(messageWithoutValues(err))
    const { kept } = await told<{ kept: string }>(
      ...[root, 'restore', backup, '--replace', '--without-migrations'],
    )
    return kept
  }
}

function runningProcess(): number {
  const file = join(DATA, 'running')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (pid === 0 || !isAlive(pid) || whileRunning('address') === undefined)
    throw new Error('npm start does not run here: back up, then start the new release.')
  if (!existsSync(FILES.release))
    throw new Error(
      'Not begun: this npm start was started by an older release, or on a full disk. Stop it, start it again, then the same upgrade. Nothing was changed.',
    )
  return pid
}

/** The release of the processes; an earlier upgrade may have passed that of the clone. */
async function releaseThatRuns(): Promise<FoundRelease> {
  const { root } = JSON.parse(readFileSync(FILES.release, 'utf8')) as { root: string }
  return { root, version: versionIn(root), commit: await commitIn(root) }
}

const versionIn = (root: string) =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version

interface FoundRelease {
  root: string
  version: string
  commit: string | undefined
}

/** A folder with the sources of a release, or a commit of this clone, which gets one. */
async function releaseIn(wanted: string, say: (line: string) => void): Promise<FoundRelease> {
  const isFolder = existsSync(join(wanted, 'package.json'))
  const root = isFolder ? resolve(wanted) : await checkedOut(wanted)
  if (!existsSync(join(root, 'node_modules')) && isEqual(root, 'package-lock.json'))
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  say('Building the new release …')
  await run(process.execPath, [join(root, 'infra/run/bootstrap.mjs'), 'build'], {
    cwd: root,
    env: clean(),
  }).catch(err => {
    throw new Error(`The new release could not be built: ${err.stderr || err.message}`)
  })
  return { root, version: versionIn(root), commit: await commitIn(root) }
}

async function checkedOut(commit: string): Promise<string> {
  const found = await git(ROOT, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`)
  if (found === undefined)
    throw new Error(
      `${commit} is neither a folder with a release nor a commit of this clone. First: git fetch --tags`,
    )
  const root = join(DATA, 'releases', found.slice(0, 12))
  if (existsSync(join(root, 'package.json'))) return root
  mkdirSync(join(DATA, 'releases'), { recursive: true })
  rmSync(root, { recursive: true, force: true })
  await git(ROOT, 'worktree', 'prune')
  if ((await git(ROOT, 'worktree', 'add', '--detach', root, found)) === undefined)
    throw new Error(`git worktree add ${root} ${found} failed.`)
  return root
}

const isEqual = (root: string, file: string) =>
  readFileSync(join(root, file), 'utf8') === readFileSync(join(ROOT, file), 'utf8')

const commitIn = async (root: string): Promise<string | undefined> =>
  (await git(root, 'rev-parse', '--short=12', 'HEAD')) || undefined

/** Undefined if it fails. */
async function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await run('git', args, { cwd })).stdout.trim()
  } catch {
    return undefined
  }
}

/** Runs a command of that release on the data of this one. */
async function told<T>(root: string, ...words: string[]): Promise<T> {
  const args = [join(root, 'infra/tools/admin.ts'), ...words, '--json']
  const { stdout } = await run(process.execPath, args, { cwd: root, env: clean(), maxBuffer: 2 ** 24 }).catch(
    (err: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(errorIn(err.stdout) ?? err.stderr ?? err.message)
    },
  )
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as T
}

function errorIn(text = ''): string | undefined {
  try {
    return (JSON.parse(text.trim().split('\n').at(-1)!) as { error: string }).error
  } catch {
    return undefined
  }
}

/** The data and files of this clone, whatever folder the program is in. */
const clean = (): NodeJS.ProcessEnv => ({
  ...process.env,
  BOTHY_DATA: DATA,
  SETTINGS_FILE: resolve(ROOT, process.env['SETTINGS_FILE'] || 'settings.json'),
})

const ENDED = 'npm start has ended. Next: start it again, then the same upgrade.'

/** Has the running `npm start` take a step (infra/run/upgrade-steps.ts). Rejects with its fault. */
async function request(pid: number, step: Step): Promise<StepDone['places']> {
  const id = randomUUID()
  if (!isAlive(pid)) throw new Error(ENDED)
  writeWhole(FILES.wanted, JSON.stringify({ id, pid: process.pid, step } satisfies StepWanted))
  process.kill(pid, 'SIGUSR2')
  for (const end = Date.now() + DONE_WITHIN; Date.now() < end; await pause(200)) {
    const done = existsSync(FILES.done)
      ? (JSON.parse(readFileSync(FILES.done, 'utf8')) as StepDone)
      : undefined
    if (done?.id === id) {
      if (done.fault !== null) throw new Error(done.fault)
      return done.places
    }
    if (!isAlive(pid)) throw new Error(ENDED)
  }
  throw new Error('npm start did not respond in time.')
}

/** Makes the clone that of the new release, so that the next `npm start` starts it. Returns what is left to do, or that nothing is. */
export async function adopt({ root }: Upgraded): Promise<string> {
  const commit = await git(root, 'rev-parse', 'HEAD')
  const isOurs = root.startsWith(join(DATA, 'releases'))
  if (isOurs && commit && (await git(ROOT, 'merge', '--ff-only', commit)) !== undefined)
    return 'The clone is that of the new release too.'
  const to = { root, commit: isOurs ? commit : undefined }
  noteUpgrade(DATA, to)
  return checkoutSentence(to, DATA)
}
