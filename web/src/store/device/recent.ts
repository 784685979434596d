import { newestFirst } from './newest-first.ts'

/** The channels visited on this device, most recent first. */
export const { list: recent, note: noteRecent } = newestFirst('recent', 30)
