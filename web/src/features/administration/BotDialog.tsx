import { useId, useRef, useState } from 'preact/hooks'
import type { BotPayload } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { FormDialog } from '../../common/FormDialog.tsx'
import { PeopleField } from '../../common/PeopleField.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { profileChanged } from '../../net/people/profiles.ts'
import { type BotChange, changeBot, makeBot } from '../../net/requests/bots.ts'
import type { Failure } from '../../net/requests/failure.ts'
import { nameColors, pictured } from '../../store/people/profiles.ts'
import { Field } from '../../ui/Field.tsx'
import { ChannelChooser } from './ChannelChooser.tsx'
import './bots.css'

const LONGEST = { username: 32, display_name: 80, description: 500 }

/** The token of a bot; null if the response with it was lost. */
export interface MadeBotToken {
  name: Username
  token: string | null
}

interface Props {
  /** Undefined for a new one. */
  bot: BotPayload | undefined
  close: () => void
  /** The list is not what it was: somebody else removed this one. */
  changed: () => void
  /** With the token of a new bot. */
  saved: (made?: MadeBotToken) => void
}

/** Name, words and channels of a new bot; of one that is there its words, picture and owner. */
export function BotDialog({ bot, close, changed, saved }: Props) {
  const [username, setUsername] = useState('')
  const [name, setName] = useState(bot?.display_name ?? '')
  const [description, setDescription] = useState(bot?.description ?? '')
  const [isGuest, setGuest] = useState(false)
  const [channels, setChannels] = useState<ChannelId[]>([])
  const [owners, setOwners] = useState<Username[]>(bot?.owner ? [bot.owner] : [])
  const [picture, setPicture] = useState<File | null>()
  const attempt = useClientId()
  const texts = strings.bots
  const words = { display_name: name.trim() || null, description: description.trim() || null }

  const make = async () => {
    const draft = { ...words, username: username.trim(), channels, guest: isGuest }
    const made = await makeBot({ ...draft, client_id: attempt.idOf(draft) })
    return { name: made.username, token: made.token }
  }
  const change = async ({ username, owner }: BotPayload) => {
    const [heir] = owners
    const change: BotChange = { ...words, ...(heir !== undefined && heir !== owner && { owner: heir }) }
    await changeBot(username, change, picture)
    if (picture !== undefined)
      profileChanged(username, { color: nameColors.peek().get(username) ?? null, avatar: picture !== null })
    return undefined
  }
  const form = useSubmit({
    check: () => (bot ? ownerFault(bot, owners) : draftFault(username.trim(), isGuest, channels)),
    async send() {
      saved(await (bot ? change(bot) : make()))
    },
    whyNot(failure) {
      if (failure.status === 404) changed()
      return problemOf(failure, bot)
    },
  })
  return (
    <FormDialog
      title={bot ? texts.editOf(bot.username) : texts.make}
      close={close}
      form={form}
      label={bot ? strings.save : texts.makeIt}
    >
      {!bot && (
        <Field
          name="username"
          label={texts.username}
          hint={texts.usernameHint}
          value={username}
          maxLength={LONGEST.username}
          problem={form.problemOf('username')}
          set={value => {
            setUsername(value)
            form.clear('username')
          }}
        />
      )}
      <Field
        name="display_name"
        label={texts.displayName}
        value={name}
        maxLength={LONGEST.display_name}
        problem={form.problemOf('display_name')}
        set={value => {
          setName(value)
          form.clear('display_name')
        }}
      />
      <Description value={description} set={setDescription} />
      {bot ? (
        <>
          <Picture bot={bot.username} chosen={picture} choose={setPicture} />
          <div class="field bot-owner">
            <span class="label">{texts.owner}</span>
            <span class="hint">{texts.ownerHint}</span>
            <PeopleField
              label={texts.owner}
              chosen={owners}
              onChange={names => setOwners(names.slice(-1))}
              onDone={() => void form.submit()}
              whenTyped
            />
          </div>
        </>
      ) : (
        <>
          <label class="admin-check">
            <input
              type="checkbox"
              checked={isGuest}
              onChange={event => setGuest(event.currentTarget.checked)}
            />
            <span>
              {texts.guest}
              <span class="hint admin-note">{texts.guestHint}</span>
            </span>
          </label>
          <ChannelChooser legend={texts.channels} chosen={channels} onChange={setChannels} />
        </>
      )}
    </FormDialog>
  )
}

function Description({ value, set }: { value: string; set: (value: string) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{strings.bots.description}</label>
      <textarea
        id={id}
        class="bot-description"
        name="description"
        rows={3}
        value={value}
        maxLength={LONGEST.description}
        aria-describedby={`${id}-hint`}
        onInput={event => set(event.currentTarget.value)}
      />
      <span class="hint" id={`${id}-hint`}>
        {strings.bots.descriptionHint}
      </span>
    </div>
  )
}

interface PictureProps {
  bot: Username
  /** Null: the picture is removed. */
  chosen: File | null | undefined
  choose: (picture: File | null | undefined) => void
}

function Picture({ bot, chosen, choose }: PictureProps) {
  const input = useRef<HTMLInputElement>(null)
  const texts = strings.bots
  const hasPicture = chosen !== null && (chosen !== undefined || pictured.value.has(bot))
  return (
    <div class="field">
      <span class="label">{texts.picture}</span>
      <div class="bot-picture">
        <Avatar name={bot} size={36} />
        <button type="button" class="button" onClick={() => input.current?.click()}>
          {texts.choosePicture}
        </button>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          hidden
          aria-label={texts.picture}
          onChange={event => {
            const file = event.currentTarget.files?.[0]
            if (file) choose(file)
            // Allows choosing the same file again.
            event.currentTarget.value = ''
          }}
        />
        {hasPicture && (
          <button
            type="button"
            class="button button-quiet button-danger-text"
            onClick={event => {
              event.currentTarget.parentElement?.querySelector('button')?.focus()
              choose(pictured.peek().has(bot) ? null : undefined)
            }}
          >
            {texts.removePicture}
          </button>
        )}
        {chosen && <span class="hint">{texts.chosen(chosen.name)}</span>}
      </div>
    </div>
  )
}

function draftFault(username: string, isGuest: boolean, channels: readonly ChannelId[]): Problem | undefined {
  const texts = strings.bots
  if (!isUsername(username)) return { field: 'username', sentence: texts.usernameRule }
  return isGuest && channels.length === 0 ? { sentence: texts.guestNeedsChannel } : undefined
}

/** A bot without an owner may stay so. */
const ownerFault = ({ owner }: BotPayload, owners: readonly Username[]): Problem | undefined =>
  owner !== null && owners.length === 0 ? { sentence: strings.bots.oneOwner } : undefined

function problemOf({ code, status, message }: Failure, bot: BotPayload | undefined): Problem {
  const texts = strings.bots
  if (status === 409)
    return message.includes('bots')
      ? { sentence: texts.tooMany }
      : { field: 'username', sentence: texts.nameTaken }
  if (status === 413 || message.startsWith('avatar')) return { sentence: texts.wrongPicture }
  if (code === 'forbidden') return { sentence: texts.notAllowed }
  if (bot && status === 404) return { sentence: strings.administration.isRemoved(bot.username) }
  if (message.startsWith('owner')) return { sentence: texts.badOwner }
  if (message.startsWith('display_name'))
    return { field: 'display_name', sentence: strings.administration.wrongLine }
  return status === 400 ? { field: 'username', sentence: texts.usernameRule } : { sentence: texts.notSaved }
}
