import { endWithParent } from '../run/terminal.ts'
import { runChecks } from './checks.ts'

endWithParent()
const failed = await runChecks(console.log)
process.exit(failed > 0 ? 1 : 0)
