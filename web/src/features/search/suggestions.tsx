import type { ComponentChildren } from 'preact'
import { spanOf } from '#shared/domain/search-dates.ts'
import { filterToken, type SearchToken } from '#shared/domain/search-query.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { nameOf } from '../../store/channels/names.ts'
import { chipText, knownChannel, knownPerson, placeValue } from './chip-text.ts'
import { KIND_CHIPS, matchingChannels, matchingNames, PersonLine } from './choosers.tsx'
import { quickDates } from './DateChooser.tsx'
import { zone } from './use-search.ts'

export interface Suggestion {
  chip: string
  line: ComponentChildren
}

const MOST_SUGGESTIONS = 8

/** Completions of a filter that is being typed. */
export function suggestionsFor(token: SearchToken, here: ChannelId | undefined): Suggestion[] {
  const { name, value } = token
  const chips = (list: string[]) =>
    list.filter(chip => chip.startsWith(`${name}:${value.toLowerCase()}`)).map(lineOf)
  const found = () => {
    switch (name) {
      case 'from':
        return matchingNames(value.replace(/^@/, '')).map(person => ({
          chip: filterToken('from', person),
          line: <PersonLine name={person} />,
        }))
      case 'in':
        return matchingChannels(value.replace(/^[@#]/, ''), here).map(id => ({
          chip: filterToken('in', placeValue(id)),
          line: <bdi>{nameOf(id)}</bdi>,
        }))
      case 'has':
      case 'is':
        return chips(KIND_CHIPS)
      case 'on':
      case 'after':
      case 'before':
        return chips(quickDates(new Date()))
      default:
        return []
    }
  }
  const sign = token.isNegated ? '-' : ''
  return found()
    .slice(0, MOST_SUGGESTIONS)
    .map(one => ({ ...one, chip: `${sign}${one.chip}` }))
}

const lineOf = (chip: string): Suggestion => ({ chip, line: chipText(chip) })

/** True for a filter that has its whole value already: it counts before it is a chip. */
export function isWhole({ name, value }: SearchToken): boolean {
  const lower = value.toLowerCase()
  switch (name) {
    case 'from':
      return lower === 'me' || knownPerson(value) !== undefined
    case 'in':
      return knownChannel(value) !== undefined
    case 'has':
    case 'is':
      return KIND_CHIPS.includes(`${name}:${lower}`)
    default:
      return spanOf(value, Date.now() / 1000, zone()) !== undefined
  }
}
