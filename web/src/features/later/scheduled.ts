/** Scheduled messages and their changes. */
import { signal } from '@preact/signals'
import type { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { composerField } from '../../common/composer-field.ts'
import { strings } from '../../i18n/i18n.ts'
import { json, postJson, request, whole } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { nameOf } from '../../store/channels/names.ts'
import { hashOf } from '../../store/route.ts'
import { panel } from '../../store/store.ts'
import { draftOf, keepDraft, keepTyped } from '../../store/writing/drafts.ts'
import { afterPaint } from '../../ui/after-paint.ts'
import { announce, showToast } from '../../ui/feedback.ts'

export const scheduledPage = (cursor?: string) =>
  json<Page<ScheduledPayload>>(
    `/scheduled?limit=200${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    undefined,
    page => Array.isArray(page.items),
  )

interface Text {
  channel: ChannelId
  text: string
  replyTo: number | null
}

/** The last request without a response: its repetition schedules nothing twice. */
let unanswered = { key: '', id: '' }

/** False if the server refuses; the text then stays where it is. */
export async function scheduleText(
  { channel, text, replyTo }: Text,
  ts: Seconds,
  putBack: () => void,
): Promise<boolean> {
  const key = JSON.stringify([channel, text, replyTo, ts])
  if (unanswered.key !== key) unanswered = { key, id: crypto.randomUUID() }
  try {
    const response = await postJson('/scheduled', {
      channel,
      composed_for: channel,
      text,
      send_ts: ts,
      client_id: unanswered.id,
      ...(replyTo === null ? {} : { reply_to_id: replyTo }),
    })
    const { id } = (await whole(response.json())) as ScheduledPayload
    unanswered = { key: '', id: '' }
    const undo = async () => {
      if (await cancelScheduled(id)) putBack()
    }
    const words = strings.scheduled.goes(strings.later.at(ts))
    announce(words)
    showToast(words, { icon: 'later', action: { label: strings.undo, run: () => void undo() } })
    return true
  } catch (error) {
    tolerateFailure(error)
    if (error.status >= 400 && error.status < 500) unanswered = { key: '', id: '' }
    showToast(error.status === 409 ? strings.scheduled.tooMany : strings.scheduled.notScheduled, {
      icon: 'alert',
    })
    return false
  }
}

export const changeScheduled = (id: number, change: { text?: string; send_ts?: Seconds; now?: true }) =>
  attempt(() =>
    request(`/scheduled/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    }),
  )

export const cancelScheduled = (id: number, wasSent?: () => void) =>
  attempt(() => request(`/scheduled/${id}`, { method: 'DELETE' }), wasSent)

/** The message that failed, for which another channel is asked. */
export const moved = signal<ScheduledPayload | undefined>(undefined)

/** Opens another channel with the text in its composer: what is sent there is seen before. */
export async function moveTo(one: ScheduledPayload, channel: ChannelId) {
  // First, so that a tab that is closed now loses no text.
  addToDraft(channel, one.text)
  if (!(await cancelScheduled(one.id))) return
  location.hash = hashOf(channel)
  // The channel may be the one behind the page.
  panel.value = undefined
  afterPaint(() => composerField()?.focus())
}

/** Puts the text behind what the composer of the channel has. */
export async function keepAsDraft({ id, channel, text }: ScheduledPayload): Promise<boolean> {
  // First, so that a tab that is closed now loses no text.
  const { before, draft } = addToDraft(channel, text)
  const takeBack = () => {
    if (draftOf(channel) === draft) keepDraft(channel, before)
  }
  // After another failure the message may be gone, and the draft is all that is left of it.
  if (!(await cancelScheduled(id, takeBack))) return false
  showToast(strings.scheduled.isDraft(nameOf(channel)), { icon: 'pencil' })
  return true
}

/** Returns the draft without and with the text. */
function addToDraft(channel: ChannelId, text: string): { before: string; draft: string } {
  // A text typed a moment ago would be newer than this draft, and replace it.
  keepTyped()
  const before = draftOf(channel)
  // A failed attempt has added it already.
  if (before === text || before.endsWith(`\n${text}`)) return { before, draft: before }
  const draft = before === '' ? text : `${before}\n${text}`
  keepDraft(channel, draft)
  return { before, draft }
}

/** Returns false after a failure, which is reported. `wasSent` is called if the message has been sent. */
async function attempt(ask: () => Promise<unknown>, wasSent?: () => void): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    tolerateFailure(error)
    if (error.status === 409) wasSent?.()
    showToast(error.status === 409 ? strings.scheduled.wasSent : strings.scheduled.notChanged, {
      icon: 'alert',
    })
    return false
  }
}
