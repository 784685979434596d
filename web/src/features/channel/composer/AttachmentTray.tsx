import { useState } from 'preact/hooks'
import { kindOfType, typeOfName } from '#shared/domain/file-types.ts'
import { composerField } from '../../../common/composer-field.ts'
import { ExtensionTile } from '../../../common/ExtensionTile.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { outbox } from '../../../net/outbox/browser-outbox.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import type { Pending } from '../../../store/messages/pending.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { passFocus } from '../../../ui/pass-focus.ts'
import { removeAttachment } from './add-files.ts'
import { attachmentsOf, uploadsOf } from './attachments.ts'
import './AttachmentTray.css'

interface Props {
  channel: Channel
  thread: number | undefined
  /** The key of the draft. */
  place: string
}

/** Files of the next message and of those being sent; each can be removed. */
export function AttachmentTray({ channel, thread, place }: Props) {
  const list = attachmentsOf(place)
  const goingOut = uploadsOf(channel, thread)
  if (list.length + goingOut.length === 0) return null
  return (
    <ul class="attachment-tray" aria-label={strings.composer.attached}>
      {goingOut.map(one => (
        <Upload channel={channel} one={one} key={one.key} />
      ))}
      {list.map(one => (
        <li class="attachment" key={one.key}>
          <FileText file={one.file} picture={one.preview} state={strings.composer.size(one.file.size)} />
          <Remove
            label={strings.composer.remove(one.file.name)}
            onClick={() => removeAttachment(place, one)}
          />
        </li>
      ))}
    </ul>
  )
}

function Upload({ channel, one }: { channel: Channel; one: Pending }) {
  const file = one.file!
  const share = outbox.uploads.value.get(one.key) ?? 0
  const percent = Math.floor(share * 100)
  const say = strings.composer
  return (
    <li class="attachment is-uploading">
      <FileText
        file={file}
        picture={channel.pictures.get(one.key)}
        state={one.state === 'waiting' ? say.uploadWaits : say.sentOf(share * file.size, file.size)}
      />
      <Remove label={say.cancelUpload(file.name)} onClick={() => outbox.giveUp(channel, one.key)} />
      <span
        class="attachment-progress"
        role="progressbar"
        aria-label={say.uploading(file.name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ inlineSize: `${percent}%` }} />
      </span>
    </li>
  )
}

function FileText({ file, picture, state }: { file: File; picture: string | undefined; state: string }) {
  // A picture that this browser cannot show is a file like others.
  const [isPicture, setPicture] = useState(kindOfType(typeOfName(file.name)) === 'image')
  return (
    <>
      {isPicture && picture ? (
        <img src={picture} alt="" onError={() => setPicture(false)} />
      ) : (
        <ExtensionTile name={file.name} />
      )}
      <span class="attachment-text">
        <b title={file.name} dir="auto">
          {file.name}
        </b>
        <span class="hint tabular-numbers">{state}</span>
      </span>
    </>
  )
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  const remove = (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement
    const { nextElementSibling, previousElementSibling } = button.closest('li')!
    const beside = nextElementSibling ?? previousElementSibling
    const field = button.closest('.composer')?.querySelector('textarea')
    passFocus(button, beside?.querySelector('.attachment-remove'), field ?? composerField())
    onClick()
  }
  return (
    <button type="button" class="attachment-remove" aria-label={label} title={label} onClick={remove}>
      <Icon name="x" size={16} />
    </button>
  )
}
