/** The chunk of the threads. */
import '../i18n/thread-strings.ts'

export { ThreadPanel } from '../features/channel/thread/ThreadPanel.tsx'
export { ThreadsPage } from '../features/threads/ThreadsPage.tsx'
