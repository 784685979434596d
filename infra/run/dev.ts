import { startEverything } from './stack.ts'

// Services restart when a file they import changes; the client is rebuilt for the next reload.
await startEverything({ watch: true })
