import type { InboxItem, InboxKind } from '#shared/domain/payloads/inbox.ts'
import { usePages } from '../../common/use-pages.ts'
import { inboxPage } from '../../net/requests/lazy-endpoints.ts'
import { withFirstPage } from '../../store/activity.ts'
import { inbox } from '../../store/store.ts'

/**
 * Items of a kind, or of all. The first page follows the stream; pages of a kind are requested again when it changes,
 * and further pages on demand.
 */
export function useActivity(kind: InboxKind | undefined) {
  const first = inbox.value
  return usePages<InboxItem>(
    [kind, first],
    async cursor => (kind === undefined && cursor === undefined ? first : inboxPage(kind, cursor)),
    {
      ...(kind === undefined && { initial: first }),
      merge: (known, { items, next }) => withFirstPage(known, items, next),
    },
  )
}
