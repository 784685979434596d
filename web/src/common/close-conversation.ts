import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { closeDm } from '../net/requests/endpoints.ts'
import { tolerateFailure } from '../net/requests/failure.ts'
import { current } from '../store/channels/channels.ts'
import { plainName } from '../store/channels/names.ts'
import { hashOf } from '../store/route.ts'
import { closing, dms, isPhone, publicChannels } from '../store/store.ts'
import { showToast } from '../ui/feedback.ts'

/** Time to undo, in ms; the server learns of it afterwards, or when the page is closed. */
const UNDO_WITHIN = 5_000

const waiting = new Map<ChannelId, ReturnType<typeof setTimeout>>()

export function closeConversation(channel: ChannelId) {
  closing.value = new Set(closing.value).add(channel)
  if (current.peek()?.id === channel)
    location.hash = isPhone.peek() || !publicChannels.peek()[0] ? '#/' : hashOf(publicChannels.peek()[0]!)
  waiting.set(
    channel,
    setTimeout(() => closeOnServer(channel), UNDO_WITHIN),
  )
  showToast(strings.sidebar.closed(plainName(channel)), {
    action: { label: strings.undo, run: () => undo(channel) },
  })
}

function undo(channel: ChannelId) {
  if (!waiting.has(channel)) return
  clearTimeout(waiting.get(channel))
  waiting.delete(channel)
  reopen(channel)
}

async function closeOnServer(channel: ChannelId, keepalive = false) {
  waiting.delete(channel)
  try {
    await closeDm(channel, keepalive)
    dms.value = dms.value.filter(dm => dm.channel !== channel)
  } catch (error) {
    tolerateFailure(error)
  }
  reopen(channel)
}

function reopen(channel: ChannelId) {
  const rest = new Set(closing.value)
  rest.delete(channel)
  closing.value = rest
}

addEventListener('pagehide', () => {
  for (const [channel, timer] of waiting) {
    clearTimeout(timer)
    void closeOnServer(channel, true)
  }
})
