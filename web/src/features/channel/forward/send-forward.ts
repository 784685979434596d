import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { postJson, whole } from '../../../net/requests/endpoints.ts'
import { type Failure, tolerateFailure } from '../../../net/requests/failure.ts'
import { hashOf } from '../../../store/route.ts'
import { announce, showToast } from '../../../ui/feedback.ts'

interface Forward {
  row: MessagePayload
  channel: string
  /** The target in words. */
  name: string
  text: string
  clientId: string
}

/** Forwards a message. Returns why it was not, or undefined; `isFinal`: a repetition would be refused as well. */
export async function sendForward({
  row,
  channel,
  name,
  text,
  clientId,
}: Forward): Promise<{ problem: string; isFinal: boolean } | undefined> {
  try {
    const response = await postJson(`/forward/${row.id}`, { channel, text, client_id: clientId })
    const { id } = (await whole(response.json())) as { id: number }
    const words = strings.forward.done(name)
    announce(words)
    const show = () => {
      location.hash = hashOf(channel, id)
    }
    showToast(words, { icon: 'forward', action: { label: strings.forward.show, run: show } })
    return undefined
  } catch (error) {
    tolerateFailure(error)
    return { problem: problemOf(error, name), isFinal: error.status >= 400 && error.status < 500 }
  }
}

function problemOf({ status, code, message }: Failure, name: string): string {
  const say = strings.forward
  if (status === 404 || code === 'invalid') return say.gone
  if (status === 403 || status === 400) return say.refused(name)
  if (status === 413) return message.startsWith('message too long') ? say.tooLong : say.noRoom
  return status === 429 ? say.tooMany : say.failed
}
