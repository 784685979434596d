import { startEverything } from './stack.ts'

await startEverything()
