import type { Seconds } from './units.ts'

/** A backup whose restore was proven is expected at least this often: owners are told, and checks fail. */
export const PROVEN_WITHIN: Seconds = 48 * 3600
