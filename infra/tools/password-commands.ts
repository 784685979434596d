import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from './command.ts'
import { DATA, whileRunning } from './environment.ts'

/** The next `npm start` changes them, while its database is stopped (infra/dev-stores/postgres.ts). */
const newPasswords: Command = {
  usage: 'new-passwords',
  run: async () => {
    if (process.env['DATABASE_URL_FILE'])
      throw new Error('With Compose: infra/new-passwords.sh, on the host. Nothing was changed.')
    if (process.env['DATABASE_URL'])
      throw new Error(
        'DATABASE_URL names a PostgreSQL of your own: change the password there and in the variable, then restart. Nothing was changed.',
      )
    if (whileRunning('database-admin-url') === undefined)
      throw new Error('npm start has no database here. Nothing was changed.')
    writeFileSync(join(DATA, 'new-passwords'), '')
    return {
      text: 'PostgreSQL and Redis get new passwords when npm start is started the next time.',
      json: { ok: true },
    }
  },
}

export const passwordCommands: Record<string, Command> = { 'new-passwords': newPasswords }
