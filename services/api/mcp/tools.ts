import { catchUp } from './catch-up.ts'
import { listChannels } from './list-channels.ts'
import { readChannel, readThread } from './read-messages.ts'
import { searchMessages } from './search-messages.ts'
import { sendMessage } from './send-message.ts'
import type { Tool } from './tool.ts'
import { who } from './who.ts'

/** The tools of `POST /mcp` (interface 19.9). */
export const TOOLS: readonly Tool[] = [
  searchMessages,
  readChannel,
  readThread,
  listChannels,
  who,
  catchUp,
  sendMessage,
]
