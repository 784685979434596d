import type { Seconds } from './units.ts'

/** How long a call rings, and how long an invitation into one does (interface 8). */
export const RING_TIME: Seconds = 30
