import { IS_NOT_REMOVED } from './deleted-accounts.ts'
import { READABLE_CHANNELS } from './readable-channels.ts'

/** SQL: the join of `saved` and `message` that people may read now. Parameters as for READABLE_CHANNELS. */
export const READABLE_SAVED = `saved
       join messages message on message.id = saved.message_id and ${IS_NOT_REMOVED}
       join (${READABLE_CHANNELS}) readable
         on readable.viewer = saved.username
        and readable.channel = message.channel
        and readable.history_start <= message.ts`
