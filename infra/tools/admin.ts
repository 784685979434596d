import { deleteChannel } from './delete-channel.ts'
import { issueResetToken } from './issue-reset-token.ts'
import type { Outcome } from './outcome.ts'
import { ownerLink } from './owner-link.ts'

/** `npm run admin -- <command> … [--json]`: the operator's commands. */

const given = process.argv.slice(2)
const isJson = given.includes('--json')
const [command = '', ...args] = given.filter(word => word !== '--json')
const commands: Record<string, { run(args: string[]): Promise<Outcome>; usage: string }> = {
  'delete-channel': { run: deleteChannel, usage: 'delete-channel <id>' },
  'reset-password': { run: issueResetToken, usage: 'reset-password <username>' },
  'owner-link': { run: ownerLink, usage: 'owner-link' },
}

const known = Object.hasOwn(commands, command) ? commands[command] : undefined
if (!known) {
  const usages = Object.values(commands).map(({ usage }) => `  npm run admin -- ${usage} [--json]`)
  console.error(`Say one of:\n${usages.join('\n')}`)
  process.exit(2)
}
try {
  const { text, json } = await known.run(args)
  console.log(isJson ? JSON.stringify(json) : text)
} catch (err) {
  const { message } = err as Error
  if (isJson) console.log(JSON.stringify({ error: message }))
  else console.error(message)
  process.exitCode = 1
}
