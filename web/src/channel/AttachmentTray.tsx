import type { Channel } from '../store/channels.ts'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
import { attachmentsOf, removeAttachment } from './attachments.ts'

export function AttachmentTray({ channel }: { channel: Channel }) {
  const list = attachmentsOf(channel)
  if (list.length === 0) return null
  return (
    <ul class="ups" aria-label={words.composer.attached}>
      {list.map(one => (
        <li class="up" key={one.key}>
          <img src={one.preview} alt={one.file.name} />
          <button
            type="button"
            class="rm"
            aria-label={words.composer.remove(one.file.name)}
            title={words.composer.remove(one.file.name)}
            onClick={() => removeAttachment(channel, one.key)}
          >
            <Icon name="x" size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}
