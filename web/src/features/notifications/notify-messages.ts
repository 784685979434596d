/**
 * Notifies about new messages (ui.md 6.6) in one tab of all, from the counts that the server pushes. Messages from
 * before the tab was opened, or from a long absence, only get badges.
 */
import { effect, untracked } from '@preact/signals'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { textOf } from '../../common/text-of.ts'
import { strings } from '../../i18n/i18n.ts'
import { newestMessages, wholeMessage } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { leads } from '../../net/tabs/leader.ts'
import { askForChime, inFront, tabs } from '../../net/tabs/tabs.ts'
import { isDm, nameOf, othersIn } from '../../store/channels/names.ts'
import { isSystemMessage } from '../../store/messages/items.ts'
import { concerns } from '../../store/messages/selectors.ts'
import { displayed, statusOf } from '../../store/people/people.ts'
import { choicesNow, preferred } from '../../store/preferences/preferences.ts'
import { hashOf } from '../../store/route.ts'
import { choiceOf, isByName, isChannelMuted } from '../../store/sidebar/channel-choices.ts'
import {
  channelUnreads,
  connection,
  dms,
  mentions,
  NO_MENTIONS_YET,
  privateChannels,
  session,
  viewer,
} from '../../store/store.ts'
import { newBursts } from './bursts.ts'
import { popUp, takeAway } from './desktop.ts'
import { offerSoon } from './offer.ts'
import { type Happening, type Outcome, outcomeOf, placeOf } from './outcomes.ts'
import { newQuiet } from './quiet.ts'
import { countsOf, type News, newsBetween, waitingIn } from './unread-changes.ts'

/** Messages fetched for their texts, at most; their number is already known. */
const MOST_READ = 20
const SPARE = 5
const MOST_REMEMBERED = 500
const LONGEST_TEXT = 200
const SILENT = { sound: false, desktop: false }
const QUIET_LOOKED_EVERY = 30_000

type Row = Pick<MessagePayload, 'id' | 'sender' | 'content'>

const leading = leads('notify')
const notified = new Set<number>()
const popups = newBursts()
const chimes = newBursts()

export function startNotifyingMessages() {
  const quiet = newQuiet(Date.now())
  effect(() => quiet.connection(connection.value === 'up' || connection.value === 'crowded', Date.now()))
  setInterval(() => quiet.isQuiet(Date.now()), QUIET_LOOKED_EVERY)
  let before = countsNow()
  effect(() => {
    const after = countsNow()
    const news = newsBetween(before, after)
    before = after
    untracked(() => take(news, quiet.isQuiet(Date.now())))
  })
  effect(() => {
    if (session.value === 'ended') void takeAway()
  })
}

function countsNow() {
  const list = mentions.value === NO_MENTIONS_YET ? undefined : mentions.value
  return countsOf(channelUnreads.value, privateChannels.value, dms.value, list)
}

function take({ mentions: named, more, read }: News, isQuiet: boolean) {
  for (const channel of read) {
    popups.end(channel)
    chimes.end(channel)
  }
  if (named.length > 0 && !isQuiet) offerSoon()
  if (!leading.peek()) return
  for (const channel of read) inTurn(() => takeAway(tagOf(channel)))
  if (isQuiet) return
  for (const channel of new Set(named.map(mention => mention.channel))) {
    const rows = named.filter(mention => mention.channel === channel)
    inTurn(async () => notify('mention', channel, await withoutQuiet(channel, notYetNotified(rows)), 0))
  }
  for (const { channel, by } of more) inTurn(() => notifyMore(channel, by))
}

/** Keeps the order of events: a message that is read during the fetch is not notified afterwards. */
let last = Promise.resolve()
function inTurn(job: () => Promise<unknown>) {
  last = last.then(job).then(() => {}, reportError)
}

/** Fetches the messages behind a count only if they will be shown or heard. */
async function notifyMore(channel: ChannelId, by: number) {
  const happening = isDm(channel) ? 'direct' : 'channel'
  const { sound, desktop } = outcomeNow(happening, channel)
  if (!sound && !desktop) return
  const rows = await newest(channel, by)
  if (!rows) return happening === 'direct' ? notify(happening, channel, [], by) : undefined
  const fresh = notYetNotified(rows)
  await notify(
    fresh.some(row => concerns(row, viewer)) ? 'mention' : happening,
    channel,
    fresh,
    Math.max(0, by - MOST_READ),
  )
}

async function newest(channel: ChannelId, count: number): Promise<MessagePayload[] | undefined> {
  try {
    // The list includes deleted messages, the count does not.
    const rows = await newestMessages(channel, Math.min(count + SPARE, MOST_READ))
    const counted = rows.filter(row => row.sender !== viewer && row.deleted === 0).slice(-count)
    return counted.filter(row => !isSystemMessage(row) && !row.extra?.quiet)
  } catch (error) {
    tolerateFailure(error)
    return undefined
  }
}

/**
 * Drops mentions in messages that were sent quietly. Asks only for texts that name the viewer: a quiet one mentions nobody
 * by `@everyone`, so that a mention of all does not make all ask.
 */
async function withoutQuiet(channel: ChannelId, rows: MentionPayload[]): Promise<MentionPayload[]> {
  const { sound, desktop } = outcomeNow('mention', channel)
  if (!sound && !desktop) return rows
  const asked = rows.filter(isByName).slice(-MOST_READ)
  const quiet = new Set<number>()
  for (const { id } of asked) {
    const row = await wholeMessage(id).catch(tolerateFailure)
    if (row?.extra?.quiet) quiet.add(id)
  }
  return rows.filter(row => !quiet.has(row.id))
}

/** Drops messages already notified: a mention in a conversation is counted in two lists. */
function notYetNotified<R extends Row>(rows: R[]): R[] {
  const fresh = rows.filter(row => !notified.has(row.id))
  for (const { id } of fresh) notified.add(id)
  for (const id of notified) if (notified.size > MOST_REMEMBERED) notified.delete(id)
  return fresh
}

/** `unknown`: messages of which only the number is known. */
async function notify(happening: Happening, channel: ChannelId, rows: Row[], unknown: number) {
  const count = rows.length + unknown
  const { sound, desktop } = outcomeNow(happening, channel)
  if (count === 0 || !isWaiting(channel)) return
  const now = Date.now()
  const isHeard = sound && !tabs.peek().some(tab => tab.inCall) && chimes.add(channel, 1, now).isFirst
  if (isHeard) askForChime()
  if (!desktop) return
  const burst = popups.add(channel, count, now)
  const newestRow = rows.at(-1)
  await popUp({
    title: titleOf(channel, burst.count, newestRow),
    body: bodyOf(happening, channel, burst.count, newestRow),
    tag: tagOf(channel),
    hash: hashOf(channel, happening === 'mention' && !isDm(channel) ? newestRow?.id : undefined),
    calls: burst.isFirst,
    // A page without a user gesture may not play sound; the system's own is used then.
    silent: !isHeard || tabs.peek().some(tab => tab.canSound),
    stays: false,
  })
}

function titleOf(channel: ChannelId, count: number, row: Row | undefined): string {
  const texts = strings.telling
  const place = nameOf(channel)
  const isPair = isDm(channel) && othersIn(channel).length === 1
  if (count > 1) return isPair ? texts.severalFrom(count, place) : texts.severalIn(count, place)
  return isPair || !row ? place : texts.oneIn(displayed(row.sender), place)
}

function bodyOf(happening: Happening, channel: ChannelId, count: number, row: Row | undefined): string {
  if (!row || !preferred.desktopText.peek())
    return happening === 'mention' ? strings.telling.named : strings.telling.wrote
  const text = textOf(row)
  const isSaid = isDm(channel) ? othersIn(channel).length === 1 : count === 1
  const whole = isSaid || count === 1 ? text : strings.telling.said(displayed(row.sender), text)
  return Array.from(whole).slice(0, LONGEST_TEXT).join('')
}

const tagOf = (channel: ChannelId) => `bothy ${channel}`

const outcomeNow = (happening: Happening, channel: ChannelId): Pick<Outcome, 'sound' | 'desktop'> =>
  isChannelMuted(channel) || statusOf(viewer)?.quiet
    ? SILENT
    : outcomeOf(
        happening,
        channel,
        placeOf(channel, inFront.peek()),
        choicesNow(),
        Date.now(),
        choiceOf(channel).level,
      )

/** False if the messages were read in another tab during the fetch. */
const isWaiting = (channel: ChannelId) => waitingIn(countsNow()).has(channel)
