import { useEffect, useState } from 'preact/hooks'
import { isEmojiName } from '#shared/domain/custom-emoji.ts'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { useSubmit } from '../../../common/use-submit.ts'
import { strings } from '../../../i18n/i18n.ts'
import { addEmoji, removeEmoji } from '../../../net/messages/load-emoji.ts'
import { customEmoji } from '../../../store/messages/custom-emoji.ts'
import { me, viewer } from '../../../store/store.ts'
import { ErrorLine } from '../../../ui/ErrorLine.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import './OwnEmoji.css'

const ACCEPTED = 'image/png,image/gif,image/webp,image/jpeg'

export const mayAddEmoji = () => me.value?.may.includes('add_emoji') ?? false

/** Adds an emoji of the workspace, and removes those that the viewer may remove. */
export function OwnEmoji({ back }: { back: () => void }) {
  const [name, setName] = useState('')
  const [image, setImage] = useState<File | undefined>(undefined)
  const words = strings.ownEmoji
  const form = useSubmit({
    check: () => (isEmojiName(name) ? (image ? undefined : words.needsPicture) : words.badName),
    send: () => addEmoji(name, image!),
    whyNot: ({ code }) => whyNot(code),
    done: back,
  })
  useEffect(() => form.element.current?.querySelector('input')?.focus(), [])
  const choose = (file: File | undefined) => {
    setImage(file)
    form.clear()
    if (file && name === '') setName(nameOf(file))
  }
  const remove = (one: string) =>
    form.submit(async () => {
      await removeEmoji(one)
      return false
    })
  return (
    <form ref={form.element} class="own-emoji" onSubmit={form.onSubmit}>
      <div class="own-emoji-head">
        <IconButton icon="chev-left" flip label={words.back} size={28} onClick={back} />
        <b>{words.add}</b>
      </div>
      <label>
        <span>{words.name}</span>
        <input
          class="input"
          value={name}
          maxLength={32}
          autocomplete="off"
          spellcheck={false}
          onInput={event => setName(event.currentTarget.value.trim().toLowerCase())}
        />
      </label>
      <label>
        <span>{words.picture}</span>
        <input type="file" accept={ACCEPTED} onChange={event => choose(event.currentTarget.files?.[0])} />
      </label>
      {image && <Preview image={image} />}
      {form.problem && <ErrorLine>{form.problem.sentence}</ErrorLine>}
      <button type="submit" class="button button-primary" aria-disabled={form.busy}>
        {words.submit}
      </button>
      <Removable remove={one => void remove(one)} />
    </form>
  )
}

function Removable({ remove }: { remove: (name: string) => void }) {
  const isAdmin = me.value?.may.includes('administer')
  const own = [...customEmoji.value.values()].filter(one => isAdmin || one.created_by === viewer)
  if (own.length === 0) return null
  return (
    <ul class="own-emoji-list" aria-label={strings.ownEmoji.list}>
      {own.map(({ name }) => (
        <li key={name}>
          <span class="emoji" aria-hidden="true">
            <EmojiSign name={name} />
          </span>
          <span class="grow">:{name}:</span>
          <IconButton
            icon="trash"
            label={strings.ownEmoji.remove(name)}
            size={24}
            onClick={() => remove(name)}
          />
        </li>
      ))}
    </ul>
  )
}

/** The picture in a line of text, in both themes. */
function Preview({ image }: { image: File }) {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    const made = URL.createObjectURL(image)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [image])
  return (
    <div class="own-emoji-preview" aria-hidden="true">
      {(['light', 'dark'] as const).map(theme => (
        <span key={theme} data-theme={theme}>
          {url && <img src={url} alt="" />}
        </span>
      ))}
    </div>
  )
}

const nameOf = (file: File) =>
  file.name
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_+-]+/g, '_')
    .slice(0, 32)

function whyNot(code: string | undefined): string {
  const { conflict, invalid, too_large, unavailable } = strings.ownEmoji.refused
  const known: Record<string, string> = { conflict, invalid, too_large, unavailable }
  return known[code ?? ''] ?? strings.ownEmoji.refused.other
}
