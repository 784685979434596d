import type { Config } from '#shared/kernel/config.ts'
import type { Part } from '#shared/kernel/lifecycle.ts'
import { Replica } from '#shared/notices/service-start.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * The resets of a service start (interface 1), if this is one: whoever comes first does them, be it a janitor or an api. How
 * that is found out stands in shared/notices/service-start.ts, because the api starts through it as well.
 */
export const startUp = (stores: Stores, config: Config): Part =>
  new Replica(stores, 'janitor', config.stackId)
