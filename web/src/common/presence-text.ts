import type { Username } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { peopleInCalls } from '../store/calls.ts'
import { isBot } from '../store/people/people.ts'
import { presenceOf } from '../store/store.ts'

/** Being in a call that the viewer can see takes precedence over the presence. Bots have none. */
export const presenceText = (name: Username): string =>
  isBot(name)
    ? ''
    : peopleInCalls.value.has(name)
      ? strings.people.inCall
      : strings.presence[presenceOf(name)]
