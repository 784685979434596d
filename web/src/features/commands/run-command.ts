import { h } from 'preact'
import { type CommandName, isCommand } from '#shared/domain/built-in-commands.ts'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { closeConversation } from '../../common/close-conversation.ts'
import { muteFor } from '../../common/mute.ts'
import { muteForever, muteUntil, unmuteChannel } from '../../common/mute-channel.ts'
import { strings } from '../../i18n/i18n.ts'
import { loadMembers, showFrom } from '../../net/channels/open-channel.ts'
import { joinChannel, leavePublicChannel, setArchived } from '../../net/channels/public-channels.ts'
import { clearStatus, setStatus } from '../../net/people/own-status.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import {
  addPrivateMember,
  addToPublicChannel,
  changeChannelInfo,
  publicChannelsPage,
  setPresenceOverride,
} from '../../net/requests/lazy-endpoints.ts'
import { isCallable } from '../../store/calls.ts'
import type { Channel } from '../../store/channels/channels.ts'
import {
  channelNamed,
  isDm,
  isPrivate,
  nameOf,
  noteNames,
  otherChannels,
} from '../../store/channels/names.ts'
import { isRowItem, rowsOf } from '../../store/messages/items.ts'
import { hashOf } from '../../store/route.ts'
import type { ThreadPlace } from '../../store/threads/thread-rows.ts'
import { showToast } from '../../ui/feedback.ts'
import { openPopover } from '../../ui/Popover.tsx'
import { openLeaveDialog } from '../browse/open-browse.ts'
import { startCall } from '../calls/open-calls.ts'
import { laterPart } from '../later/open-later.ts'
import { searchFor } from '../search/open-search.ts'
import { CommandHelp } from './CommandHelp.tsx'
import { commandIn, dayOf, durationOf, statusOf, timeAtStart } from './command-words.ts'
import { ownCommands, refreshCommands, runOwnCommand } from './own-commands.ts'

/** The composer in which a command was entered. */
export interface CommandPlace {
  channel: Channel
  thread: ThreadPlace | undefined
  /** Id of the message whose row had the focus before the composer; undefined or NaN without one. */
  selected: number | undefined
  /** Sends a text in place of the command. */
  send: (text: string) => void
  /** Returns true if the words tell many people: the composer asks, and `go` gets what the person chooses. */
  asksFirst: (words: string, go: (words: string) => void) => boolean
  /** Puts the text back: the command has not run. */
  restore: () => void
  /** Called for an unknown command. */
  ask: (name: string) => void
}

/** A sentence that says why the command did not run; its text stays. Undefined if it ran. */
type Why = string | undefined

/** Runs a command in the channel in which it was entered. */
export async function runCommand(text: string, place: CommandPlace): Promise<void> {
  const command = commandIn(text)
  if (!command) return place.send(text)
  if (!isCommand(command.name)) return runUnlessUnknown(command.name, text, place)
  try {
    const why = await RUN[command.name](command.rest, place)
    if (why === undefined) return
    place.restore()
    showToast(why)
  } catch (error) {
    place.restore()
    tolerateFailure(error)
    showToast(whyNot(error.status, place.channel.id))
  }
}

/** A command of the workspace, or a question. */
async function runUnlessUnknown(name: string, text: string, place: CommandPlace) {
  await refreshCommands()
  if (!ownCommands.peek().some(one => one.name === name)) return place.ask(name)
  const why = await runOwnCommand(name, text, place)
  if (why === undefined) return
  place.restore()
  showToast(why)
}

const whyNot = (status: number, channel: ChannelId) =>
  status === 403 ? strings.commands.notAllowed(nameOf(channel)) : strings.commands.notDone

type Run = (rest: string, place: CommandPlace) => Why | Promise<Why>

const RUN: Record<CommandName, Run> = {
  join: name => join(name.replace(/^#/, '')),
  leave: (_rest, { channel }) => leave(channel),
  topic: (topic, { channel }) => (topic === '' ? usage('topic') : change(channel, { topic })),
  rename: (name, { channel }) =>
    name === '' ? usage('rename') : change(channel, { name: name.replace(/^#/, '') }),
  add: (name, { channel }) => add(name.replace(/^@/, ''), channel),
  archive: (_rest, { channel }) => archive(channel),
  mute: (rest, { channel }) => mute(rest, channel),
  unmute: (_rest, { channel }) => {
    unmuteChannel(channel.id)
    return undefined
  },
  status: rest => status(rest),
  away: async () => {
    await setPresenceOverride('idle')
    return undefined
  },
  pause: rest => {
    const length = durationOf(rest)
    if (length === undefined) return usage('pause')
    muteFor(length)
    showToast(strings.commands.paused(Date.now() / 1_000 + length / 1_000), { icon: 'bell-off' })
    return undefined
  },
  remind: remindOf,
  schedule,
  goto: (rest, { channel }) => {
    const day = dayOf(rest)
    if (!day) return usage('goto')
    void showFrom(channel, day.getTime() / 1_000)
    return undefined
  },
  search: rest => {
    searchFor(rest)
    return undefined
  },
  call: (_rest, { channel }) => {
    if (!isCallable(channel.id)) return strings.commands.noCallHere
    startCall(channel.id, false)
    return undefined
  },
  shrug: (rest, { send }) => {
    // Wide lines: the usual ones are marks of emphasis.
    send(`${rest} ¯\\＿(ツ)＿/¯`.trimStart())
    return undefined
  },
  me: (rest, { send }) => {
    if (rest === '') return usage('me')
    send(`_${rest}_`)
    return undefined
  },
  help: () => {
    openPopover(undefined, strings.commands.label, () => h(CommandHelp, {}))
    return undefined
  },
}

const usage = (name: CommandName) => strings.commands.usage(name, strings.commands.all[name].input)

async function join(name: string): Promise<Why> {
  if (name === '') return usage('join')
  const known = channelNamed(name)
  const channel = known !== undefined && !otherChannels.peek().includes(known) ? known : await joinNamed(name)
  if (channel === undefined) return strings.commands.noChannel(name)
  location.hash = hashOf(channel)
  return undefined
}

/** Joins the public channel of this name or id; undefined without one. */
async function joinNamed(name: string): Promise<ChannelId | undefined> {
  const wanted = name.toLowerCase()
  const { items } = await publicChannelsPage({ words: name, sort: 'name', archived: false }, undefined)
  const found = items.find(one => one.channel.toLowerCase() === wanted || one.name.toLowerCase() === wanted)
  if (!found) return undefined
  noteNames(items)
  return found.joined || (await joinChannel(found.channel)) ? found.channel : undefined
}

async function leave({ id }: Channel): Promise<Why> {
  if (isDm(id)) closeConversation(id)
  else if (isPrivate(id)) openLeaveDialog(id)
  else if (!(await leavePublicChannel(id))) return strings.commands.notDone
  return undefined
}

async function archive({ id }: Channel): Promise<Why> {
  if (isDm(id)) return strings.commands.notInDms
  const failure = await setArchived(id, true)
  return failure === undefined ? undefined : whyNot(failure, id)
}

async function change({ id }: Channel, wanted: { name: string } | { topic: string }): Promise<Why> {
  if (isDm(id)) return strings.commands.notInDms
  await changeChannelInfo(id, wanted)
  return undefined
}

async function add(name: string, channel: Channel): Promise<Why> {
  if (name === '') return usage('add')
  if (isDm(channel.id)) return strings.commands.notInDms
  try {
    if (isPrivate(channel.id)) await addPrivateMember(Number(channel.id.slice('private:'.length)), name)
    else {
      const { skipped } = await addToPublicChannel(channel.id, [name])
      if (skipped.length > 0) return strings.commands.noPerson(name)
    }
  } catch (error) {
    tolerateFailure(error)
    // A member already: the same result.
    if (error.status === 404) return strings.commands.noPerson(name)
    if (error.status !== 409) throw error
  }
  await loadMembers(channel)
  return undefined
}

function mute(rest: string, { id }: Channel): Why {
  if (rest === '') muteForever(id)
  else {
    const length = durationOf(rest)
    if (length === undefined) return usage('mute')
    muteUntil(id, (Date.now() + length) / 1_000)
  }
  return undefined
}

/** Characters of a message that a confirmation shows. */
const MOST_WORDS = 60

/**
 * Saves the message that is being answered or selected, with a reminder. Without one: in a thread its root, in a channel
 * the newest.
 */
async function remindOf(rest: string, { channel, thread, selected }: CommandPlace): Promise<Why> {
  const time = timeAtStart(rest, new Date())
  const rows = channel.items.peek().filter(isRowItem).flatMap(rowsOf)
  const newest = rows.findLast(({ row }) => row.id > 0 && row.deleted === 0)
  const answered = thread === undefined ? channel.replyTo.peek() : undefined
  const id = answered ?? (selected || thread?.replyTo || newest?.row.id)
  if (!time || id === undefined) return usage('remind')
  const remind_ts = time.at.getTime() / 1_000
  await (await laterPart.load()).remind(id, remind_ts)
  if (thread === undefined) channel.replyTo.value = undefined
  const row = channel.findRow(id)
  const words = row?.content?.slice(0, MOST_WORDS) ?? row?.filename ?? ''
  showToast(strings.commands.reminding(remind_ts, words), { icon: 'clock' })
  return undefined
}

async function schedule(rest: string, place: CommandPlace): Promise<Why> {
  const time = timeAtStart(rest, new Date())
  if (!time || time.rest.trim() === '') return usage('schedule')
  const send_ts = time.at.getTime() / 1_000
  const go = (words: string) => addScheduled(place, words, send_ts)
  if (!place.asksFirst(time.rest, words => void go(words))) await go(time.rest)
  return undefined
}

async function addScheduled({ channel, thread, restore }: CommandPlace, text: string, ts: Seconds) {
  const replyTo = thread?.replyTo ?? channel.replyTo.peek() ?? null
  const { scheduleText } = await laterPart.load()
  if (!(await scheduleText({ channel: channel.id, text, replyTo }, ts, restore))) restore()
  else if (thread === undefined) channel.replyTo.value = undefined
}

async function status(rest: string): Promise<Why> {
  if (rest === '') {
    await clearStatus()
    return undefined
  }
  const { emoji, name, text } = statusOf(rest)
  const named = name === undefined ? undefined : REACTION_EMOJI.get(name)
  if (name !== undefined && named === undefined) return strings.commands.noEmoji(name)
  await setStatus({
    emoji: emoji ?? named ?? null,
    text: text === '' ? null : text,
    until: null,
    quiet: false,
  })
  return undefined
}
