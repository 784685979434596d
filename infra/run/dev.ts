import { startEverything } from './stack.ts'

// A service restarts when a file that it imports changes; the client is updated in the open page.
await startEverything({ watch: true })
