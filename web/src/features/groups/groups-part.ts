/** Groups: card, dialog, and the questions about them. */
export { GroupCard } from './GroupCard.tsx'
export { GroupDialog } from './GroupDialog.tsx'
export { NotifyManyBar } from './NotifyManyBar.tsx'
export { offerToAdd } from './offer-to-add.ts'
