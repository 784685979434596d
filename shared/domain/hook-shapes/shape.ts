import type { MessageCard } from '../payloads/messages.ts'
import type { Fields } from '../slack-values.ts'

/** A post to an incoming hook (interface 19). */
export interface HookInput {
  /** By name in lower case. */
  headers: Readonly<Record<string, unknown>>
  body: Fields
}

/** Something that fails and recovers, such as a workflow on a branch. */
export interface Incident {
  /** Equal for its failure and its recovery, within the hook; at most 4,100 characters: stores keep its hash. */
  key: string
  state: 'failing' | 'recovered'
  /** The recovery is told only after a failure was. */
  isQuietAlone?: true
}

export interface HookMessage {
  /** Markup that mentions nobody; the flattened cards follow it (`withCards`). */
  text: string
  cards: MessageCard[]
  incident?: Incident
}

/** `ignored`: the name of an event that the shape leaves out. */
export type Converted = HookMessage | { ignored: string }

export interface HookShape {
  /** As in the address of the hook. */
  name: string
  isIn(input: HookInput): boolean
  /** Throws an `InvalidPayload` for a wrong type in a field that counts. */
  convert(input: HookInput): Converted
}

export const headerIn = ({ headers }: HookInput, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, 80) : undefined
}
