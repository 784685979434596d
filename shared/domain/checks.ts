import { PROVEN_WITHIN } from './backups.ts'
import { isLocal } from './own-network.ts'
import type { SignupMode } from './roles.ts'
import type { Seconds } from './units.ts'

/**
 * Checks before an office uses an installation. Two front ends make them: “Ready for the office?” in a browser, with the
 * question and next step of each id in `web/src/i18n`, and `doctor` on the server, which also examines the machine. Each
 * learns the facts in its own way; the rules are here.
 */
export type CheckId = 'secure' | 'live' | 'calls' | 'signUp' | 'owners' | 'people' | 'look' | 'backup'

/** Browsers give out camera, microphone and notifications. */
export const isSecure = (protocol: string): boolean => protocol === 'https:'

/** Strangers cannot make an account: in a network of one's own, sign-up may be open. `host` is undefined if unknown. */
export const isSignUpSafe = (mode: SignupMode, host: string | undefined): boolean =>
  mode !== 'open' || host === undefined || isLocal(host)

/** Backups are proven: `ago` is the age of the last one that was restored for a test, undefined for none. */
export const areBackupsProven = (ago: Seconds | undefined, problem: string | null): boolean =>
  problem === null && ago !== undefined && ago < PROVEN_WITHIN
