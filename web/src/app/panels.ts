import { part } from '../ui/part.ts'

/** Panels, pages and dialogs that open from anywhere. */
export const panels = part<typeof import('./panels-and-dialogs.ts')>()
