import { variableText } from '#shared/runtime/variables.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { migrate, pendingMigrations } from '#shared/stores/migrate.ts'
import { isOlderRelease, newestRelease } from '#shared/stores/releases.ts'
import { handOverDatabase } from '#shared/stores/roles.ts'
import { backupCommands } from './backup-commands.ts'
import { type Command, listed } from './command.ts'
import { examine } from './doctor/doctor.ts'
import { addressOfBothy, whileRunning } from './environment.ts'
import { smokeTest } from './smoke-test.ts'
import { withStores } from './stores.ts'
import { adopt, type Steps, upgrade } from './upgrade.ts'

/** Parts of an upgrade; `npm run admin -- upgrade` puts them together. */

const pending: Command = {
  usage: 'pending [--for RELEASE]',
  options: ['for'],
  run: async ({ options }) => {
    const items = await pendingMigrations(ownerUrl())
    const works_from = items.some(one => one.works_from === null)
      ? null
      : (newestRelease(items.flatMap(one => one.works_from ?? [])) ?? '0.0.0')
    const rows = items.map(({ name, works_from, is_outside }) => [
      name,
      works_from === null ? 'no older release runs on it' : `works from ${works_from}`,
      is_outside ? 'beside writers' : 'at once',
    ])
    const before = options['for'] ?? VERSION
    const keeps = works_from !== null && !isOlderRelease(before, works_from)
    return {
      ...listed(rows, null, `The schema is that of bothy ${VERSION}.`),
      // `keeps`: that release runs on the schema afterwards.
      json: { version: VERSION, works_from, keeps, items },
    }
  },
}

const migrateCommand: Command = {
  usage: 'migrate',
  run: async () => {
    const applied = await migrate(ownerUrl())
    const admin = variableText('DATABASE_ADMIN_URL') ?? whileRunning('database-admin-url')
    // New tables that a superuser made.
    if (admin !== undefined && applied.length > 0) await handOverDatabase(admin)
    const text = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.'
    return { text, json: { applied } }
  },
}

/** The role that may alter tables. */
function ownerUrl(): string {
  const url =
    variableText('DATABASE_ADMIN_URL') ??
    whileRunning('database-admin-url') ??
    variableText('DATABASE_DIRECT_URL') ??
    variableText('DATABASE_URL') ??
    whileRunning('database-url')
  if (!url) throw new Error('bothy does not run here: start it first, or say DATABASE_URL.')
  return url
}

const smoke: Command = {
  usage: 'smoke [--at URL] [--events-at URL]',
  options: ['at', 'events-at'],
  run: ({ options }) =>
    withStores(async stores => {
      const api = options['at'] ?? whileRunning('address') ?? addressOfBothy()
      const places = {
        api,
        events: options['events-at'] ?? api,
        secure: process.env['PUBLIC_URL']?.startsWith('https:') ?? false,
      }
      const steps = await smokeTest(stores, places)
      return { text: `The smoke test passed: ${steps.join(', ')}.`, json: { ok: true, steps } }
    }),
}

const upgradeCommand: Command = {
  usage: 'upgrade <commit-or-folder> [--despite-faults]',
  flags: ['despite-faults'],
  run: async ({ words: [wanted = ''], options }) => {
    const steps: Steps = {
      // Standard output is for the outcome.
      say: line => console.error(line),
      async doctor() {
        if (options['despite-faults'] !== undefined) return { faults: [] }
        const faults = (await examine()).filter(({ state }) => state === 'fault')
        return { faults: faults.map(({ part, found }) => `${part}: ${found}`) }
      },
      async backup() {
        const { json, fault } = await backupCommands['backup']!.run({ words: [], options: {} })
        if (fault !== undefined) throw new Error(fault)
        return String(json['path'])
      },
      prove: path => backupCommands['verify']!.run({ words: [path], options: { drill: '1' } }),
      async restore(path) {
        const { json, fault } = await backupCommands['restore']!.run({
          words: [path],
          options: { replace: '1' },
        })
        if (fault !== undefined) console.error(fault)
        return String(json['kept'])
      },
    }
    const done = await upgrade(wanted, steps)
    // Alone on the last line: what is left to do is easily overlooked.
    const text = `bothy ${done.to} runs.\n\n${await adopt(done)}`
    return { text, json: { ...done } }
  },
}

export const upgradeCommands: Record<string, Command> = {
  upgrade: upgradeCommand,
  pending,
  migrate: migrateCommand,
  smoke,
}
