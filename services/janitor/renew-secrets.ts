import { renewSealed } from '#shared/stores/sealed-values.ts'
import type { Secrets } from '#shared/stores/secrets.ts'
import type { Task } from './tasks.ts'

/** After a new key: seals what is still under the former one, so that the latter can be removed. */
export const renewSecrets = (secrets: Secrets): Task => ({
  name: 'renew-secrets',
  every: '*/10 * * * *',
  run: ({ db }) => renewSealed(db, secrets),
})
