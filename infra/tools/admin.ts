import { log } from '#shared/runtime/log.ts'
import { runCommand } from './run-command.ts'

/** `npm run admin -- <command> … [--json]`: the operator's commands (docs/operations.md, 10). */

// Standard output is for the outcome.
log.level = 'silent'
const { exitCode, output, fault } = await runCommand(process.argv.slice(2))
if (output !== '') console.log(output)
if (fault !== '') console.error(fault)
process.exitCode = exitCode
