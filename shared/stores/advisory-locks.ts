/**
 * Every number that is locked with `pg_advisory_lock` or its siblings, in TypeScript and in SQL functions. A number is used
 * for one purpose and never given to another: processes of two releases run side by side during an upgrade. Locks named by
 * a text are hashed to 64 bits (`hashtextextended`) and need no number.
 */
export const ADVISORY_LOCKS = {
  /** Applying migrations. */
  migrations: 2_607_041_978,
  /** A process joining or starting the service. */
  serviceStart: 2_607_041_979,
  /** A janitor creating its queues. */
  queues: 2_607_041_980,
  /** Making or unmaking owners. */
  ownership: 2_607_041_981,
  /** A janitor making and proving a backup. */
  backupRound: 2_607_041_982,
  /** Usernames and handles of groups. */
  names: 2_607_041_983,
  /** Writing a backup, loading one for a drill, or deleting old ones. */
  backup: 2_607_041_984,
  /** `next_people_rev()`. */
  peopleRevision: 2_607_041_985,
  /** A janitor claiming deliveries. */
  deliveries: 2_607_041_986,
  /** First key of a pair; the second is the hash of a username. */
  uploadQuota: 260_704_206,
} as const
