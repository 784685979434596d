/** The parts of groups as one chunk. */
import '../../i18n/groups-strings.ts'

export { GroupCard } from './GroupCard.tsx'
export { GroupDialog } from './GroupDialog.tsx'
export { NotifyManyBar } from './NotifyManyBar.tsx'
export { offerToAdd } from './offer-to-add.ts'
