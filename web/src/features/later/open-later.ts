/** Opens the parts of pins, saved messages and scheduled sends, which are all loaded on demand. */
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Channel } from '../../store/channels.ts'
import { lazyComponent, withModule } from '../../ui/lazy.tsx'

const chunk = () => import('./lazy-chunk.ts')

export const PinnedBy = lazyComponent<{ row: MessagePayload }>(() => chunk().then(module => module.PinnedBy))
export const PinsButton = lazyComponent<{ channel: Channel }>(() => chunk().then(module => module.PinsButton))
export const PinsTab = lazyComponent<{ channel: Channel }>(() => chunk().then(module => module.PinsTab))

/** Pins the message, or takes its pin away. */
export const togglePin = (row: MessagePayload) => withModule(chunk, module => void module.togglePin(row))
