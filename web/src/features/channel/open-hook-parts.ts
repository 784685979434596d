import { part } from '../../ui/part.ts'

/** Cards and emoji of messages by hooks. */
export const hookParts = part<typeof import('./hooks/hook-parts.tsx')>()
