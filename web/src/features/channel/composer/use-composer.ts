import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { toLatest } from '../../../net/channels/open-channel.ts'
import { forgetTyping, reportTyping } from '../../../net/messages/typing.ts'
import { outbox } from '../../../net/outbox/browser-outbox.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { config } from '../../../store/store.ts'
import type { ThreadPlace } from '../../../store/threads/thread-rows.ts'
import { draftOf, keepDraft, threadDraft } from '../../../store/writing/drafts.ts'
import { type CommandPlace, runCommand } from '../../commands/open-commands.ts'
import { emojiList } from '../emoji/lazy-emoji.ts'
import { attachmentsOf } from './attachments.ts'
import { completed, type Typing } from './completion.ts'
import { composerParts } from './composer-part.ts'
import { onKey } from './early-keys.ts'
import { hasContent } from './has-content.ts'
import type { Choice } from './MentionMenu.tsx'
import { addPasted, addText, takeAttachments } from './offer-files.ts'
import { textFieldEdits } from './text-field-edits.ts'
import { useAsked } from './use-asked.ts'
import { useCompletion } from './use-completion.ts'
import { useDraft } from './use-draft.ts'

/** Text, keys and sending of a composer. */
export function useComposer(
  channel: Channel,
  field: RefObject<HTMLTextAreaElement | null>,
  thread?: ThreadPlace,
) {
  const { place, post } = useDestination(channel, thread)
  const [text, setText] = useDraft(place, field)
  const question = useAsked(channel)
  const selected = useRef<number | undefined>(undefined)
  /** The name of an unknown command, while its text may be sent. */
  const [unknown, setUnknown] = useState<string | undefined>(undefined)
  const completion = useCompletion(channel, (...chosen) => complete(field.current!, edits, ...chosen))
  const change = (area: HTMLTextAreaElement) => {
    setText(area.value)
    question.end()
    setUnknown(undefined)
    completion.restart(area)
    if (area.value.trim() !== '') reportTyping(channel.id)
  }
  const edits = textFieldEdits(field)
  const hasFiles = attachmentsOf(place).length > 0
  const isTooLong = text.length > config.value.max_message_chars

  const empty = () => {
    field.current!.value = ''
    setText('')
    question.end()
    setUnknown(undefined)
    completion.close()
    keepDraft(place, '')
    field.current!.focus()
  }
  const back = (body: string) => putBack(body, place, field.current, setText)
  const { canSend, sendNow, sendQuietly, sendUnlessMany, later } = sending({
    channel,
    thread,
    field,
    selected,
    hasFiles,
    question,
    setUnknown,
    empty,
    back,
    post,
  })
  const backToText = () => {
    question.end()
    setUnknown(undefined)
    field.current!.focus()
  }
  return {
    place,
    text,
    completion,
    edits,
    asked: question.asked,
    unknown,
    isTooLong,
    canSend: canSend(text),
    change,
    sendNow,
    sendLater: thread === undefined ? later : undefined,
    /** Makes a file of a text that is too long for a message. */
    toFile: () => {
      addText(place, field.current!.value)
      edits.put('', 0)
      field.current!.focus()
    },
    sendUnknown: () => sendUnlessMany(field.current!.value.trimEnd()),
    sendAsked: question.sendAsked,
    sendWithout: question.sendWithout,
    backToText,
    onFocus: ({ relatedTarget: from }: FocusEvent) => {
      // Null from the page itself, and if the window gets the focus again.
      if (from) selected.current = Number((from as Element).closest('article')?.dataset['messageId'])
    },
    onBlur: () => {
      completion.close()
      // The whole window lost the focus if the field still has it.
      if (document.activeElement !== field.current) selected.current = undefined
    },
    // Before the second entry is there, a text is pasted as it is.
    onPaste: (event: ClipboardEvent) =>
      addPasted(place, event) || composerParts.now?.onPasteText(event, field.current!),
    onKeyDown: (event: KeyboardEvent) => {
      if (isOfInputMethod(event) || completion.onKey(event)) return
      onKey(event, field.current!, { channel, isThread: thread !== undefined, sendNow, sendQuietly, later })
    },
  }
}

interface Sending {
  channel: Channel
  thread: ThreadPlace | undefined
  field: RefObject<HTMLTextAreaElement | null>
  /** The message of the row from which the focus came. */
  selected: { current: number | undefined }
  hasFiles: boolean
  question: ReturnType<typeof useAsked>
  setUnknown: (name: string | undefined) => void
  /** Empties the composer. */
  empty: () => void
  /** Puts a text back into the composer; returns whether it is the only one. */
  back: (body: string) => boolean
  post: (body: string, isQuiet?: boolean) => void
}

/** The ways in which the text of a composer leaves it. */
function sending(composer: Sending) {
  const { channel, thread, field, selected, hasFiles, question, setUnknown, empty, back, post } = composer
  const send = (body: string) => {
    post(body)
    selected.current = undefined
    empty()
  }
  const sendUnlessMany = (body: string) => {
    setUnknown(undefined)
    if (!question.asks(body, send)) send(body)
  }
  const later = (anchor: HTMLElement) => {
    const body = field.current!.value.trimEnd()
    if (!hasContent(body)) return
    const offer = (chosen: string) =>
      composerParts.use(({ sendLater }) =>
        sendLater(chosen, anchor, channel, field, { empty, putBack: back, sendQuietly }),
      )
    if (!question.asks(body, offer)) offer(body)
  }
  const emptyAnd = (go: (text: string) => void) => (chosen: string) => {
    empty()
    go(chosen)
  }
  const canSend = (body: string) =>
    (hasContent(body) || hasFiles) && body.length <= config.value.max_message_chars
  /** Without a question: it tells nobody. */
  const sendQuietly = () => {
    const body = field.current!.value.trimEnd()
    if (canSend(body)) emptyAnd(chosen => post(chosen, true))(asText(body))
  }
  const sendNow = () => {
    const body = field.current!.value.trimEnd()
    if (!canSend(body)) return
    if (!/^\/(?!\/)/.test(body)) return sendUnlessMany(asText(body))
    // Before the command runs: a second Enter must not repeat it, and it may close this composer.
    empty()
    const asksFirst: CommandPlace['asksFirst'] = (words, go) =>
      question.asks(words, emptyAnd(go), () => back(body))
    const ask = (name: string) => back(body) && setUnknown(name)
    runCommand(body, {
      channel,
      thread,
      selected: selected.current,
      restore: () => back(body),
      asksFirst,
      send: words => asksFirst(words, send) || post(words),
      ask,
    })
  }
  return { canSend, sendNow, sendQuietly, sendUnlessMany, later }
}

/** A text that begins with two slashes is no command, and is sent with one. */
const asText = (body: string) => body.replace(/^\/\//, '/')

function complete(
  { value, selectionStart }: HTMLTextAreaElement,
  edits: ReturnType<typeof textFieldEdits>,
  typing: Typing,
  choice: Choice,
) {
  const done = completed(value, selectionStart, typing, choice.insert)
  edits.put(done.text, done.caret)
  if (choice.emoji) emojiList.peek()?.noteEmoji(choice.emoji)
}

/** Safari omits isComposing after the composition has ended. */
const isOfInputMethod = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229

/** The key of the draft, and the way to send. The channel stays where it is while a thread is answered. */
function useDestination(channel: Channel, thread: ThreadPlace | undefined) {
  const place = thread === undefined ? channel.id : threadDraft(thread.root, channel.id)
  /** As old as the text: the server refuses it for another channel. */
  const composedFor = useRef(channel.id).current
  const post = (body: string, isQuiet = false) => {
    const text = hasContent(body) ? body : ''
    const written = { text, composedFor, isQuiet, files: takeAttachments(place) }
    if (thread === undefined) {
      toLatest(channel)
      outbox.send(channel, { ...written, replyTo: channel.replyTo.peek() })
      channel.replyTo.value = undefined
    } else outbox.send(channel, { ...written, replyTo: thread.replyTo, inThread: thread.root })
    forgetTyping()
  }
  return { place, post }
}

/** Puts a command before the text written since. Returns whether it is the only text of an open composer. */
function putBack(
  command: string,
  draft: string,
  area: HTMLTextAreaElement | null,
  setText: (text: string) => void,
): boolean {
  const since = area ? area.value : draftOf(draft)
  const whole = since === '' ? command : `${command}\n${since}`
  keepDraft(draft, whole)
  if (!area) return false
  area.value = whole
  setText(whole)
  return since === ''
}
