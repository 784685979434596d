import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { dropStaleParticipants } from './drop-stale-participants.ts'
import { endArchivedCalls } from './end-archived-calls.ts'
import { endOrphanedShares } from './end-orphaned-shares.ts'
import { endUnansweredRings } from './end-unanswered-rings.ts'
import { finishDeletions } from './finish-deletions.ts'
import { forgetClientIds } from './forget-client-ids.ts'
import { forgetCommandAnswers } from './forget-command-answers.ts'
import { forgetEdits } from './forget-edits.ts'
import { forgetOldActivity } from './forget-old-activity.ts'
import { forgetOldCalls } from './forget-old-calls.ts'
import { forgetOldDrafts } from './forget-old-drafts.ts'
import { forgetThreadFollows } from './forget-thread-follows.ts'
import { forgetTokens } from './forget-tokens.ts'
import { forgetUploads } from './forget-uploads.ts'
import { hideVersions } from './hide-versions.ts'
import { endHooks } from './notify/end-hook.ts'
import { boundDeliveries, forgetDeliveries } from './notify/tend-deliveries.ts'
import { purgeMedia } from './purge-media.ts'
import { purgeResetTokens } from './purge-reset-tokens.ts'
import { purgeSignals } from './purge-signals.ts'
import { remind } from './remind.ts'
import { renameAccounts } from './rename-accounts.ts'
import { sendScheduled } from './send-scheduled.ts'
import { sweepOrphanFiles } from './sweep-orphan-files.ts'
import { tellTokenEnds } from './tell-token-ends.ts'
import { trimAttachments } from './trim-attachments.ts'
import { trimAudit } from './trim-audit.ts'
import { trimMessages } from './trim-messages.ts'

export interface Task {
  name: string
  /**
   * A cron line (UTC), run by pg-boss once for all janitors; or seconds, for tasks that users wait for: cron counts in
   * minutes, and a timer in each janitor costs one index look-up where a job of the queue costs several writes.
   */
  every: string | Seconds
  /** Returns the number of changes. May run at any time, twice, and in two janitors at once. */
  run(stores: Stores): Promise<number>
}

export const tasks: Task[] = [
  { name: 'finish-deletions', every: 1, run: finishDeletions },
  { name: 'rename-accounts', every: 1, run: renameAccounts },
  { name: 'end-unanswered-rings', every: 2, run: endUnansweredRings },
  { name: 'remind', every: 5, run: remind },
  { name: 'send-scheduled', every: 2, run: sendScheduled },
  { name: 'hide-versions', every: 5, run: hideVersions },
  { name: 'drop-stale-participants', every: 10, run: dropStaleParticipants },
  { name: 'end-archived-calls', every: 10, run: endArchivedCalls },
  { name: 'end-orphaned-shares', every: 10, run: endOrphanedShares },
  { name: 'end-hooks', every: 10, run: endHooks },
  { name: 'bound-deliveries', every: '* * * * *', run: stores => boundDeliveries(stores) },
  { name: 'purge-signals', every: '* * * * *', run: purgeSignals },
  { name: 'purge-media', every: '* * * * *', run: purgeMedia },
  { name: 'purge-reset-tokens', every: '17 * * * *', run: purgeResetTokens },
  { name: 'tell-token-ends', every: '13 * * * *', run: tellTokenEnds },
  { name: 'forget-tokens', every: '23 4 * * *', run: forgetTokens },
  { name: 'forget-client-ids', every: '29 * * * *', run: forgetClientIds },
  { name: 'forget-command-answers', every: '47 * * * *', run: forgetCommandAnswers },
  { name: 'forget-old-calls', every: '37 * * * *', run: forgetOldCalls },
  { name: 'forget-old-activity', every: '43 * * * *', run: forgetOldActivity },
  { name: 'forget-deliveries', every: '49 * * * *', run: forgetDeliveries },
  { name: 'forget-edits', every: '53 3 * * *', run: forgetEdits },
  { name: 'forget-uploads', every: '57 * * * *', run: forgetUploads },
  { name: 'forget-old-drafts', every: '53 * * * *', run: forgetOldDrafts },
  { name: 'forget-thread-follows', every: '53 2 * * *', run: forgetThreadFollows },
  { name: 'trim-audit', every: '47 3 * * *', run: trimAudit },
  { name: 'trim-messages', every: '11 3 * * *', run: trimMessages },
  { name: 'trim-attachments', every: '26 3 * * *', run: trimAttachments },
  { name: 'sweep-orphan-files', every: '41 3 * * *', run: sweepOrphanFiles },
]
