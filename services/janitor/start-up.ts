import { Replica } from '#shared/notices/service-start.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * The resets of a service start (interface 1), done by the first process to start, janitor or api. The detection is in
 * shared/notices/service-start.ts, since the api uses it too.
 */
export const startUp = (stores: Stores, config: Config): Part =>
  new Replica(stores, 'janitor', config.stackId)
