import { persisted } from '../../store/device/persisted.ts'
import { viewer } from '../../store/store.ts'

/** What `ready-changes.ts` keeps on this device once the card of the owner was put away. */
export const readyEntry = () => persisted(`bothy ready ${viewer}`)
