import { newestFirst } from '../../store/device/newest-first.ts'

/** Queries that led to a message (ui.md 5.6). */
export const { list: recentSearches, note: noteSearch } = newestFirst('searches', 8)
