/** The commands of the workspace: their list, and how one is run. */
import { signal } from '@preact/signals'
import type { CommandPayload } from '#shared/domain/payloads/commands.ts'
import { strings } from '../../i18n/i18n.ts'
import { commands, runCommand } from '../../net/requests/commands.ts'
import { type Failure, tolerateFailure } from '../../net/requests/failure.ts'
import { uuid } from '../../net/requests/uuid.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { workspace } from '../../store/store.ts'
import type { ThreadPlace } from '../../store/threads/thread-rows.ts'
import { type CommandAnswer, commandAnswers } from '../../store/writing/command-answers.ts'

const MOST_ANSWERS = 5

export const ownCommands = signal<readonly CommandPayload[]>([])

/** The revision that was requested; undefined after a failure. */
let known: number | undefined
let reading: Promise<void> = Promise.resolve()

/** Reads the list again if it has changed. Without commands there is nothing to read. */
export function refreshCommands(): Promise<void> {
  const rev = workspace.peek()?.commands_rev ?? 0
  if (rev === known) return reading
  known = rev
  const read = async () => {
    try {
      ownCommands.value = rev === 0 ? [] : await commands()
    } catch (error) {
      known = undefined
      tolerateFailure(error)
    }
  }
  reading = read()
  return reading
}

/** Ids of requests whose answer was lost: the same text is not run twice. */
const lost = new Map<string, string>()

/** Returns a sentence if it did not run. */
export async function runOwnCommand(
  name: string,
  text: string,
  place: { channel: Channel; thread: ThreadPlace | undefined },
): Promise<string | undefined> {
  const { id } = place.channel
  const answered = place.thread === undefined ? place.channel.replyTo.peek() : place.thread.replyTo
  const key = JSON.stringify([id, answered, text])
  const client_id = lost.get(key) ?? uuid()
  lost.delete(key)
  try {
    const answer = await runCommand(id, {
      text,
      client_id,
      ...(answered !== undefined && { reply_to_id: answered }),
    })
    if (place.thread === undefined) place.channel.replyTo.value = undefined
    if (answer) addAnswer(id, name, answer.ephemeral)
    return undefined
  } catch (error) {
    tolerateFailure(error)
    if (error.status === 0) lost.set(key, client_id)
    return whyNot(error, name)
  }
}

let count = 0

function addAnswer(channel: string, command: string, answer: CommandAnswer['answer']) {
  const one = { key: count++, channel, command, answer }
  commandAnswers.value = [...commandAnswers.value, one].slice(-MOST_ANSWERS)
}

function whyNot({ status }: Failure, name: string): string {
  const texts = strings.ownCommands
  if (status === 404) return texts.unknown(name)
  if (status === 403) return texts.notHere
  return status === 502 ? texts.noAnswer(name) : texts.notRun(name)
}
