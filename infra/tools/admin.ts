import { issueResetToken } from './issue-reset-token.ts'

/** `npm run admin -- <command> …`: the operator's commands. */

const [command = '', ...args] = process.argv.slice(2)
const commands: Record<string, { run(args: string[]): Promise<void>; usage: string }> = {
  'reset-password': { run: issueResetToken, usage: 'reset-password <username>' },
}

const known = Object.hasOwn(commands, command) ? commands[command] : undefined
if (!known) {
  const usages = Object.values(commands).map(({ usage }) => `  npm run admin -- ${usage}`)
  console.error(`Say one of:\n${usages.join('\n')}`)
  process.exit(2)
}
try {
  await known.run(args)
} catch (err) {
  console.error((err as Error).message)
  process.exitCode = 1
}
