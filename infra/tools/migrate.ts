import { messageWithoutValues } from '#shared/runtime/log.ts'
import { faultsOfGiven, inWords, variableText } from '#shared/runtime/variables.ts'
import { migrate } from '#shared/stores/migrate.ts'

/** `node infra/tools/migrate.ts`: migrates the schema of DATABASE_URL, as every process does when it starts. */

const faults = faultsOfGiven(process.env)
const databaseUrl = variableText('DATABASE_DIRECT_URL') ?? variableText('DATABASE_URL')
if (faults.length > 0 || !databaseUrl) {
  console.error(faults.map(inWords).join('\n') || 'DATABASE_URL is missing: which database?')
  process.exit(1)
}
try {
  const applied = await migrate(databaseUrl)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
} catch (err) {
  console.error(messageWithoutValues(err))
  process.exit(1)
}
