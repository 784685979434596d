import { Gauge } from 'prom-client'
import { takeBackupLock, withConnection } from '#shared/backup/connection.ts'
import { HookFailed, runHook } from '#shared/backup/hooks.ts'
import { BackupRuns, makeBackup } from '#shared/backup/make-backup.ts'
import { openPlace } from '#shared/backup/open-place.ts'
import { NIGHT_SHARE } from '#shared/backup/pace.ts'
import type { Place } from '#shared/backup/place.ts'
import { proveBackup } from '#shared/backup/prove-backup.ts'
import { openBackup } from '#shared/backup/read-backup.ts'
import { rotate } from '#shared/backup/retention.ts'
import { PROVEN_WITHIN } from '#shared/domain/backups.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import type { readJanitorConfig } from '#shared/runtime/config.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import { log, messageWithoutValues } from '#shared/runtime/log.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import {
  beginBackup,
  endBackup,
  endKilled,
  hasWarned,
  isDue,
  noteMade,
  noteTarget,
  ownBackups,
  type Progress,
  readProgress,
} from './backup-rows.ts'
import { tellOwners } from './tell-owners.ts'

type BackupConfig = Pick<
  ReturnType<typeof readJanitorConfig>,
  'databaseUrl' | 'filesUrl' | 'settingsFile' | 'sessionSecret' | 'secretsKey' | 'backup'
>

const LOOK_EVERY: Milliseconds = 5_000
/** A bucket is asked less often than a folder: requests cost money. */
const ASK_BUCKET_EVERY: Milliseconds = 10 * 60_000
const ASK_AGAIN: Milliseconds = 60_000
/** Between two messages about what is still wrong. */
const WARN_AGAIN: Seconds = 24 * 3600

const age = new Gauge({
  name: 'bothy_backup_age_seconds',
  help: 'Since the newest complete backup was made; absent without one.',
})
const verified = new Gauge({
  name: 'bothy_backup_verified',
  help: 'Whether a restore of the newest backup was proven: 1 or 0; absent without one.',
})

/**
 * Makes a backup each night at `backup_hour`, or when an owner asks, and proves it by a restore. Not a task of the
 * schedule: it may take hours. A lock admits a single janitor; the end of a killed one
 * releases it, and the next look starts anew.
 */
export class Backups implements Part {
  readonly #stores: Stores
  readonly #config: BackupConfig
  readonly #place: Place | undefined
  readonly #ending = new AbortController()
  #asked: { at: Milliseconds; problem: string | undefined } | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(stores: Stores, config: BackupConfig) {
    this.#stores = stores
    this.#config = config
    const { address } = config.backup
    this.#place = address === undefined ? undefined : openPlace(address)
  }

  readonly name = 'backups'

  async start() {
    await noteTarget(this.#stores.db, this.#place?.address, await this.#problem())
    this.#timer = setInterval(() => this.#tick(), LOOK_EVERY)
  }

  async stop() {
    clearInterval(this.#timer)
    this.#ending.abort()
    await this.#looking
  }

  #tick() {
    this.#looking ??= this.#look()
      .catch(err => {
        if (!this.#ending.signal.aborted && !noteStoreFailure(err))
          log.warn({ err }, 'backups not looked after')
      })
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #look() {
    const { db, settings } = this.#stores
    if (!this.#place) return
    const problem = await this.#problem()
    await noteTarget(db, this.#place.address, problem)
    if (problem === undefined && (await isDue(db, settings.current.backup_hour)))
      await this.#round(this.#place)
    const progress = await readProgress(db)
    report(progress)
    if (settings.current.backup_hour >= 0) await this.#warn(progress, problem)
  }

  /** Why no backups can be made. */
  async #problem(): Promise<string | undefined> {
    const place = this.#place
    if (!place) return 'BACKUP_DIR is not set.'
    if (place.folder !== undefined) return place.problem()
    const every = this.#asked?.problem === undefined ? ASK_BUCKET_EVERY : ASK_AGAIN
    if (!this.#asked || performance.now() - this.#asked.at > every)
      this.#asked = { problem: await place.problem(), at: performance.now() }
    return this.#asked.problem
  }

  /** Backup, proof, rotation: by the janitor that gets the lock, which it holds to the end. */
  async #round(place: Place) {
    const { db, settings } = this.#stores
    const { signal } = this.#ending
    const work = async () => {
      await endKilled(db)
      // Another janitor may have done it meanwhile.
      const id = await beginBackup(db, settings.current.backup_hour)
      if (id === undefined) return
      try {
        const path = await this.#makeAndProve(place, id)
        await this.#afterBackup(place, path)
        await this.#rotate(place)
      } catch (err) {
        // The row of an ended janitor is that of a killed one.
        if (signal.aborted) return
        log.error({ err }, 'backup failed')
        const fault = messageWithoutValues(err)
        await endBackup(db, id, { ok: false, fault })
        // Made by hand meanwhile: the next look tries again.
        if (!(err instanceof BackupRuns)) await tellOwners(this.#stores, failed(fault))
      }
    }
    await withConnection(
      this.#config.databaseUrl,
      async client => {
        if (await takeBackupLock(client, 'backupRound')) await work()
      },
      signal,
    )
  }

  /** While somebody makes a backup by hand, its files are not named yet: then tomorrow. */
  async #rotate(place: Place) {
    const keep = this.#stores.settings.current.backup_keep
    await withConnection(
      this.#config.databaseUrl,
      async client => {
        if (await takeBackupLock(client)) await rotate(place, keep, await ownBackups(this.#stores.db))
      },
      this.#ending.signal,
    )
  }

  /** A failed hook leaves a proven backup: it is told and not repeated before the next one. */
  async #afterBackup({ folder }: Place, path: string) {
    if (folder === undefined) return
    const { signal } = this.#ending
    try {
      if (await runHook(folder, 'after-backup', path, { signal }))
        log.info({ path }, 'hook after backup done')
    } catch (err) {
      if (signal.aborted || !(err instanceof HookFailed)) throw err
      log.error({ err }, 'hook after backup failed')
      await tellOwners(
        this.#stores,
        `The backup is made and proven, but it is here only: ${err.message} ${WHERE}`,
      )
    }
  }

  async #makeAndProve(place: Place, id: number): Promise<string> {
    const { db } = this.#stores
    const { databaseUrl, filesUrl, settingsFile, sessionSecret, secretsKey, backup } = this.#config
    const { signal } = this.#ending
    const target = { place, passphrase: backup.passphrase }
    const secrets = {
      'session-secret': sessionSecret,
      ...(secretsKey !== undefined && { 'secrets-key': secretsKey }),
    }
    const source = { databaseUrl, filesUrl, settingsFile, secrets, share: NIGHT_SHARE }
    const made = await makeBackup(source, target, signal)
    const { missing, count } = made.manifest.files
    await noteMade(db, id, made)
    const proof = await proveBackup(
      databaseUrl,
      await openBackup(made.path, { passphrase: backup.passphrase }),
      signal,
    )
    const { rows, tables, newer } = proof
    const facts = { files: count, missing, rows, tables, newer, seconds: made.seconds }
    await endBackup(db, id, { ok: true, secondsToRestore: proof.seconds_to_restore, facts })
    log.info({ path: made.path, bytes: made.bytes, rows: proof.rows }, 'backup made and proven')
    return made.path
  }

  async #warn({ provenAgo, targetAgo }: Progress, problem: string | undefined) {
    if (Math.min(provenAgo ?? Infinity, targetAgo) < PROVEN_WITHIN) return
    if (await hasWarned(this.#stores.db, WARN_AGAIN)) return
    const why = problem === undefined ? '' : ` ${problem}`
    await tellOwners(
      this.#stores,
      `No backup has been proven for ${PROVEN_WITHIN / 3600} hours.${why} ${WHERE}`,
    )
  }
}

const WHERE =
  'The log of the janitor has the details; “Back up and restore” in the operators’ guide says what to do.'

const failed = (fault: string) => `Tonight’s backup failed: ${fault} ${WHERE}`

function report({ madeAgo, isNewestProven }: Progress) {
  if (madeAgo === undefined) return
  age.set(madeAgo)
  verified.set(isNewestProven ? 1 : 0)
}
