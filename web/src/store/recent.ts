import { newestFirst } from './newest-first.ts'

/** Where the viewer has been on this device, the last place first. */
export const { list: recent, note: noteRecent } = newestFirst('recent', 30)
