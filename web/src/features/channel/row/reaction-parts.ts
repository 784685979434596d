/** Parts of the reactions that follow a press or the pointer. */
export { toggleReaction } from '../../../net/messages/message-mutations.ts'
export { openReactionPicker } from '../message-actions.tsx'
export { showReactionTip } from './ReactionPeople.tsx'
