import { me } from '../../store/store.ts'
import { part } from '../../ui/part.ts'

/** Incoming hooks of a channel, in its details. */
export const incomingHooksPart = part<typeof import('./IncomingSection.tsx')>()

export const mayMakeHooks = () => me.value?.may.includes('make_hooks') ?? false
