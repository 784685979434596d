import { strings } from '../i18n/i18n.ts'
import { iconOf, nameOf, plainName } from '../store/channels/names.ts'
import { hashOf, threadAddress } from '../store/route.ts'
import { placeOfDraft } from '../store/writing/drafts.ts'

/** How a begun message is listed. `plain`: its place without a sign before the name. */
export function aboutDraft(key: string) {
  const { channel, thread_id: root } = placeOfDraft(key) ?? { channel: key, thread_id: 0 }
  if (root === 0)
    return {
      icon: iconOf(channel),
      channel,
      name: nameOf(channel),
      plain: plainName(channel),
      address: hashOf(channel),
    }
  const name = strings.sidebar.threadIn(nameOf(channel))
  return { icon: 'message' as const, channel, name, plain: name, address: threadAddress(channel, root) }
}
