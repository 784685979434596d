import type { Config } from '#shared/runtime/config.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import { ServiceMembership } from '#shared/service-start/service-membership.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * The resets of a service start (interface 1), done by the first process to start, janitor or api. The detection is in
 * shared/service-start/service-membership.ts, since the api uses it too.
 */
export const startUp = (stores: Stores, config: Config): Part =>
  new ServiceMembership(stores, 'janitor', config.stackId)
