import { viewer } from '../../store/store.ts'
import type { Call } from './call.ts'
import { PersonTile } from './Tile.tsx'

/** Two people: the other one large, with the whole picture, and the viewer in the corner. */
export function Duo({ call }: { call: Call }) {
  const other = call.shown.value.find(name => name !== viewer)
  return (
    <div class="stage-duo">
      {other !== undefined && <PersonTile key={other} call={call} name={other} />}
      <PersonTile key={viewer} call={call} name={viewer} small />
    </div>
  )
}
