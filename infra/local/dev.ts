import { startEverything } from './stack.ts'

// Services start again when a file they import changes; the client is built anew, and shows at the next reload.
await startEverything({ watch: true })
