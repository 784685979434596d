import { readFileSync } from 'node:fs'
import { messageWithoutValues } from '#shared/runtime/log.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { createDrillDatabase, prepareDatabase } from '#shared/stores/roles.ts'

/**
 * `node infra/tools/prepare-database.ts <folder>`: creates the roles of the database, grants their rights and migrates
 * the schema. The folder has the address of a superuser and the passwords of both roles (make-secrets.ts). May run at
 * every start.
 */

const [folder = '/secrets-database'] = process.argv.slice(2)
const secret = (name: string) => readFileSync(`${folder}/${name}`, 'utf8').trim()

try {
  const { owner } = await prepareDatabase(secret('admin-url'), {
    owner: secret('owner-password'),
    app: secret('app-password'),
  })
  await createDrillDatabase(secret('admin-url'))
  const applied = await migrate(owner)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
} catch (err) {
  console.error(messageWithoutValues(err))
  process.exit(1)
}
