import { messageWithoutValues } from '#shared/runtime/log.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { secretFrom } from './environment.ts'

/** `node infra/tools/migrate.ts`: migrates the schema of DATABASE_URL, as every process does when it starts. */

const databaseUrl = secretFrom('DATABASE_DIRECT_URL') ?? secretFrom('DATABASE_URL')
if (!databaseUrl) {
  console.error('DATABASE_URL is missing: which database?')
  process.exit(1)
}
try {
  const applied = await migrate(databaseUrl)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
} catch (err) {
  console.error(messageWithoutValues(err))
  process.exit(1)
}
