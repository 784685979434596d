import { signal } from '@preact/signals'
import type { CommandAnswerPayload } from '#shared/domain/payloads/commands.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export interface CommandAnswer {
  key: number
  channel: ChannelId
  command: string
  answer: CommandAnswerPayload['ephemeral']
}

/** Private replies of commands. They last until the page is loaded again. */
export const commandAnswers = signal<readonly CommandAnswer[]>([])
