import { signal } from '@preact/signals'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'

/** A mention of more people than the workspace lets a text tell without a question. */
export interface MassMention {
  /** `@everyone`, or the handles of the groups. */
  names: string[]
  count: number
  /** The people, if all are known. */
  people: Username[] | undefined
}

/** The group in the dialog; `new` for one to make. */
export const editedGroup = signal<GroupPayload | 'new' | undefined>(undefined)
