import { part } from '../../../ui/part.ts'

/** Code of the composer that the first screen does not need. */
export const composerParts = part<typeof import('./composer-parts.ts')>()
