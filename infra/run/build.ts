import { buildClient } from './build-client.ts'
import { endWithParent, reportAndExit } from './terminal.ts'

endWithParent()
await buildClient(console.log).catch(reportAndExit)
console.log('The client is built: web/dist.')
process.exit()
