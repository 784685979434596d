import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { ListState } from './list-view.ts'

interface Props {
  state: Readonly<ListState>
  toLatest: () => void
}

/** The date of the top row while scrolling, and the button that leads to the end. */
export function ListOverlays({ state: { away, newer, floating }, toLatest }: Props) {
  return (
    <>
      {floating !== undefined && (
        <div class="floating-date" aria-hidden="true">
          {strings.date(floating)}
        </div>
      )}
      {away && (
        <button type="button" class="to-latest" onClick={toLatest}>
          <Icon name="arrow-down" size={16} />
          {newer ? strings.list.newer(newer) : strings.list.latest}
        </button>
      )}
    </>
  )
}
