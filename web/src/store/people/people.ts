/**
 * Profiles of all visible people (interface 15.1): display name, role, status. Each displayed person has a signal of its
 * own, as in `presence.ts`.
 */
import { batch, type Signal, signal } from '@preact/signals'
import type { PersonPayload, PersonStatus } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { strings } from '../../i18n/i18n.ts'

const persons = new Map<Username, PersonPayload>()
const shown = new Map<Username, Signal<PersonPayload | undefined>>()

/** Incremented with every change, for views of everybody. */
export const peopleVersion = signal(0)
/** Display names in lower case that more than one person has, as display name or username. */
export const ambiguousNames = signal<ReadonlySet<string>>(new Set())
/** Incremented when a status ends. */
export const statusEnds = signal(0)

export const peekPerson = (name: Username) => persons.get(name)
export const everyPerson = (): Iterable<PersonPayload> => persons.values()

/** For searches, which show the state of a moment. */
export const displayNameOf = (name: Username) => persons.get(name)?.display_name

export const isBot = (name: string) => personOf(name)?.kind === 'bot'

/** Subscribes to the profile of one person only. */
export function personOf(name: Username): PersonPayload | undefined {
  let one = shown.get(name)
  if (!one) {
    one = signal(persons.get(name))
    shown.set(name, one)
  }
  return one.value
}

export function changePeople(set: Iterable<PersonPayload>, gone: Iterable<Username>) {
  batch(() => {
    for (const person of set) persons.set(person.username, person)
    for (const name of gone) persons.delete(name)
    for (const [name, one] of shown) one.value = persons.get(name)
    peopleVersion.value++
  })
}

/** The display name, else the username; with both if the name alone could be somebody else. */
export function displayed(name: string): string {
  if (name === SYSTEM_SENDER) return strings.systemName
  const display = personOf(name)?.display_name
  if (!display) return name
  return ambiguousNames.value.has(display.toLowerCase()) ? `${display} (${name})` : display
}

/** Hidden at its time, before the server says so. */
export function statusOf(name: Username): PersonStatus | undefined {
  void statusEnds.value
  const status = personOf(name)?.status
  return status && (status.until ?? Infinity) * 1_000 > Date.now() ? status : undefined
}
