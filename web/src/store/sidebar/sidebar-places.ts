/** The groups of the sidebar and their order (interface 12.2). Pure. */
import type { SidebarChannelPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export type UsualPlace = 'channels' | 'private' | 'direct'
/** A number is the id of an own section. */
export type Place = 'favourites' | number | UsualPlace

export interface Listed {
  channel: ChannelId
  usual: UsualPlace
  /** For sorting by name. */
  name: string
}

type Choice = Pick<SidebarChannelPayload, 'favourite' | 'section' | 'position'>

export interface Rules {
  choiceOf: (channel: ChannelId) => Choice
  /** Ids, in order. */
  sections: readonly number[]
  /** Undefined: as listed. */
  compare: ((a: string, b: string) => number) | undefined
}

/** All places in the order of the sidebar, empty ones too. Rows without a position follow those that have one. */
export function placesOf<L extends Listed>(listed: readonly L[], rules: Rules): Map<Place, L[]> {
  const { choiceOf, sections, compare } = rules
  const places = new Map<Place, L[]>(
    (['favourites', ...sections, 'channels', 'private', 'direct'] as const).map(place => [place, []]),
  )
  for (const one of listed) places.get(placeOf(one, choiceOf(one.channel), places))!.push(one)
  const position = ({ channel }: L) => choiceOf(channel).position ?? Number.MAX_SAFE_INTEGER
  for (const rows of places.values())
    rows.sort((a, b) => position(a) - position(b) || (compare?.(a.name, b.name) ?? 0))
  return places
}

function placeOf(
  { usual }: Listed,
  { favourite, section }: Choice,
  places: ReadonlyMap<Place, unknown>,
): Place {
  if (favourite) return 'favourites'
  return section !== null && places.has(section) ? section : usual
}
