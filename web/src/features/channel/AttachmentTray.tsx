import { composerField } from '../../common/composer-field.ts'
import { strings } from '../../i18n/i18n.ts'
import { outbox } from '../../net/browser-outbox.ts'
import type { Channel } from '../../store/channels.ts'
import type { Pending } from '../../store/pending.ts'
import { Icon } from '../../ui/Icon.tsx'
import { passFocus } from '../../ui/pass-focus.ts'
import { attachmentsOf, removeAttachment } from './attachments.ts'

/** Images of the next message and of those being sent; each can be removed. */
export function AttachmentTray({ channel }: { channel: Channel }) {
  const list = attachmentsOf(channel)
  const goingOut = channel.pending.value.filter(isGoingOut)
  if (list.length + goingOut.length === 0) return null
  return (
    <ul class="attachment-tray" aria-label={strings.composer.attached}>
      {goingOut.map(one => (
        <Upload channel={channel} one={one} key={one.key} />
      ))}
      {list.map(one => (
        <li class="attachment" key={one.key}>
          <img src={one.preview} alt={one.file.name} />
          <Remove
            label={strings.composer.remove(one.file.name)}
            onClick={() => removeAttachment(channel, one)}
          />
        </li>
      ))}
    </ul>
  )
}

const isGoingOut = (one: Pending) => one.file && (one.state === 'waiting' || one.state === 'sending')

function Upload({ channel, one }: { channel: Channel; one: Pending }) {
  const name = one.file!.name
  const percent = Math.round((outbox.uploads.value.get(one.key) ?? 0) * 100)
  return (
    <li class="attachment is-uploading">
      <img src={channel.pictures.get(one.key)} alt={name} />
      <Remove label={strings.composer.cancelUpload(name)} onClick={() => outbox.giveUp(channel, one.key)} />
      <span
        class="attachment-progress"
        role="progressbar"
        aria-label={strings.composer.uploading(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ inlineSize: `${percent}%` }} />
      </span>
    </li>
  )
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  const remove = (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement
    const { nextElementSibling, previousElementSibling } = button.closest('li')!
    const beside = nextElementSibling ?? previousElementSibling
    passFocus(button, beside?.querySelector('.attachment-remove'), composerField())
    onClick()
  }
  return (
    <button type="button" class="attachment-remove" aria-label={label} title={label} onClick={remove}>
      <Icon name="x" size={14} />
    </button>
  )
}
