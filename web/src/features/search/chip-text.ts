/** The words on chips and in messages about filters. */
import type { HasKind, IsKind, SearchProblem, SearchToken } from '#shared/domain/search-query.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { nameOf } from '../../store/channels/names.ts'
import { displayed } from '../../store/people/people.ts'
import { people, privateChannels, publicChannels, shownDms, viewer } from '../../store/store.ts'
import { tokenOf } from './query-parts.ts'

export function chipText(chip: string): string {
  const token = tokenOf(chip)
  const text = textOf(token)
  return token.isNegated ? strings.search.not(text) : text
}

function textOf({ name, value, raw }: SearchToken): string {
  const { search } = strings
  const lower = value.toLowerCase()
  switch (name) {
    case 'from':
      return search.fromPerson(lower === 'me' ? search.me : personName(value))
    case 'in':
      return search.inChannel(placeName(value))
    case 'on':
      return dateText(lower)
    case 'after': {
      const days = /^(\d{1,4})d$/.exec(lower)?.[1]
      return days ? search.lastDays(Number(days)) : search.after(dateText(lower))
    }
    case 'before':
      return search.before(dateText(lower))
    case 'has':
      return lower in search.has ? search.has[lower as HasKind] : raw
    case 'is':
      return lower in search.is ? search.is[lower as IsKind] : raw
    case 'name':
      return search.fileNamed(value)
    case undefined:
      return value
    default:
      return raw
  }
}

/** The name that people see, if the person is known here. */
export const personName = (typed: string) => displayed(knownPerson(typed) ?? typed.replace(/^@/, ''))

export function knownPerson(typed: string): string | undefined {
  const name = typed.replace(/^@/, '').toLowerCase()
  return [viewer, ...people.value].find(one => one.toLowerCase() === name)
}

function placeName(typed: string): string {
  const channel = knownChannel(typed)
  return channel === undefined ? typed : nameOf(channel)
}

/** The channel of an id or a name, as the server finds it. */
export function knownChannel(typed: string): ChannelId | undefined {
  if (typed.startsWith('@')) {
    const name = typed.slice(1).toLowerCase()
    return shownDms.value.find(({ channel }) => {
      const others = channel
        .slice('dm:'.length)
        .split(':')
        .filter(one => one !== viewer)
      return others.length === 1 && others[0]!.toLowerCase() === name
    })?.channel
  }
  const wanted = typed.replace(/^#/, '').toLowerCase()
  const ids = [
    ...publicChannels.value,
    ...privateChannels.value.map(one => one.channel),
    ...shownDms.value.map(one => one.channel),
  ]
  return (
    ids.find(id => id.toLowerCase() === wanted) ??
    privateChannels.value.find(one => one.name.toLowerCase() === wanted)?.channel
  )
}

/** `value` of a filter `in:` for a channel. */
export function placeValue(channel: ChannelId): string {
  const others = channel.startsWith('dm:')
    ? channel
        .slice('dm:'.length)
        .split(':')
        .filter(name => name !== viewer)
    : []
  return others.length === 1 ? `@${others[0]}` : channel
}

function dateText(value: string): string {
  const { search } = strings
  if (value === 'today') return search.today
  if (value === 'yesterday') return search.yesterday
  const [, year, month, day] = (/^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(value) ?? []).map(Number)
  if (!year || !month) return value
  if (!day) return search.monthOf(new Date(year, month - 1, 1))
  const date = new Date(year, month - 1, day)
  return year === new Date().getFullYear() ? search.shortDate(date) : search.dateWithYear(date)
}

/** A sentence about a filter that was left out or matches nothing. */
export function problemText({ token: raw, why }: SearchProblem): string {
  const { problems } = strings.search
  const token = tokenOf(raw)
  const value = token?.value ?? raw
  switch (why) {
    case 'empty':
      return problems.empty(raw)
    case 'bad_date':
      return problems.badDate(value)
    case 'unknown_person':
      return problems.unknownPerson(value.replace(/^@/, ''))
    case 'unknown_channel':
      return problems.unknownChannel(value.replace(/^#/, ''))
    case 'unknown_value':
      return token?.name === 'is' ? problems.unknownIs(raw) : problems.unknownHas(raw)
  }
}
