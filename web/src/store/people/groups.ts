/** Groups of people that texts mention by a handle (interface 15.3). Empty for guests. */
import { computed, signal } from '@preact/signals'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'

export const groups = signal<readonly GroupPayload[]>([])

const byHandle = computed(() => new Map(groups.value.map(group => [group.handle.toLowerCase(), group])))

/** Undefined for guests, and for a group that was deleted or has another handle now. */
export const groupNamed = (handle: string): GroupPayload | undefined =>
  byHandle.value.get(handle.toLowerCase())
