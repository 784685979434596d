import { runChecks } from './checks.ts'
import { endWithParent } from './terminal.ts'

endWithParent()
const failed = await runChecks(console.log)
process.exit(failed > 0 ? 1 : 0)
