import { HttpError } from '#shared/runtime/http-errors.ts'
import { messageWithoutValues } from '#shared/runtime/log.ts'
import { faultsOfGiven, inWords } from '#shared/runtime/variables.ts'
import { backupCommands } from './backup-commands.ts'
import { channelCommands } from './channel-commands.ts'
import { type Command, type Given, givenIn, UsageError } from './command.ts'
import { doctorCommands } from './doctor-command.ts'
import { fileCommands } from './file-commands.ts'
import { hookCommands } from './hook-commands.ts'
import { inviteCommands } from './invite-commands.ts'
import { passwordCommands } from './password-commands.ts'
import { peopleCommands } from './people-commands.ts'
import { tokenCommands } from './token-commands.ts'
import { upgradeCommands } from './upgrade-commands.ts'
import { workspaceCommands } from './workspace-commands.ts'

export interface Run {
  /** 0: done; 1: refused or failed; 2: not a command, or not of its form. */
  exitCode: number
  output: string
  /** For standard error. */
  fault: string
}

export const commands: Readonly<Record<string, Command>> = {
  ...peopleCommands,
  ...inviteCommands,
  ...channelCommands,
  ...workspaceCommands,
  ...backupCommands,
  ...fileCommands,
  ...doctorCommands,
  ...upgradeCommands,
  ...tokenCommands,
  ...hookCommands,
  ...passwordCommands,
}

/** Runs a command with the words after `npm run admin --`. With `--json` errors are output too. */
export async function runCommand(words: readonly string[]): Promise<Run> {
  const isJson = words.includes('--json')
  try {
    const { command, given } = readCommand(words)
    // The doctor examines a wrong variable; for the others it would be another place than that of the processes.
    const faults = command === commands['doctor'] ? [] : faultsOfGiven(process.env)
    if (faults.length > 0) throw new Error(faults.map(inWords).join('\n'))
    const { text, json, fault, exitCode = fault === undefined ? 0 : 1 } = await command.run(given)
    if (isJson)
      return { exitCode, output: JSON.stringify(fault ? { ...json, error: fault } : json), fault: '' }
    return { exitCode, output: text, fault: fault ?? '' }
  } catch (err) {
    const fault = faultOf(err as Error)
    const exitCode = err instanceof UsageError ? 2 : 1
    return isJson
      ? { exitCode, output: JSON.stringify(fault), fault: '' }
      : { exitCode, output: '', fault: fault.error }
  }
}

/** Without running it; throws UsageError. */
export function readCommand(words: readonly string[]): { command: Command; given: Given } {
  const [name = '', ...args] = words.filter(word => word !== '--json')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`Say one of:\n${usages().join('\n')}`)
  return { command, given: givenIn(command, args) }
}

const usages = () => Object.values(commands).map(({ usage }) => `  npm run admin -- ${usage} [--json]`)

/** The sentence and code that a request would get. */
function faultOf(err: Error): { error: string; code?: string } {
  if (!(err instanceof HttpError)) return { error: messageWithoutValues(err) }
  try {
    return JSON.parse(err.body)
  } catch {
    return { error: err.body }
  }
}
