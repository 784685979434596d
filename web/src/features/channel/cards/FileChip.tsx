import { useState } from 'preact/hooks'
import { languageOf } from '#shared/domain/code-preview.ts'
import type { CodePreviewPayload } from '#shared/domain/payloads.ts'
import { originalName } from '#shared/domain/uploads.ts'
import { strings } from '../../../i18n/i18n.ts'
import { fileAddress } from '../../../net/endpoints.ts'
import { filePreview } from '../../../net/link-previews.ts'
import { showToast } from '../../../ui/feedback.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { CodeCard } from './CodeCard.tsx'
import './cards.css'

export interface FileChipProps {
  filename: string
}

/** Longer extensions do not fit on the tile. */
const LONGEST_EXTENSION = 4

/** A stored file that is no image. These cannot be sent now; older installations stored some (ui.md 5.4). */
export function FileChip({ filename }: FileChipProps) {
  const [preview, setPreview] = useState<CodePreviewPayload>()
  const [isAsking, setAsking] = useState(false)
  const name = originalName(filename)
  const show = async () => {
    setAsking(true)
    const found = await filePreview(filename).catch(() => undefined)
    setAsking(false)
    setPreview(found)
    if (!found) showToast(strings.cards.noPreview, { icon: 'info' })
  }
  return (
    <>
      <div class="file-chip">
        <span class="file-chip-extension" aria-hidden="true">
          {extensionOf(name) || <Icon name="file" size={18} />}
        </span>
        <span class="file-chip-text">
          <b title={name}>{name}</b>
        </span>
        {languageOf(name) !== undefined && (
          <IconButton
            icon="eye"
            label={strings.cards.preview(name)}
            aria-expanded={preview !== undefined}
            aria-busy={isAsking}
            onClick={() => (preview ? setPreview(undefined) : void show())}
          />
        )}
        <a
          class="icon-button"
          href={fileAddress(filename)}
          download={name}
          aria-label={strings.cards.download(name)}
          title={strings.cards.download(name)}
        >
          <Icon name="download" />
        </a>
      </div>
      {preview && <CodeCard name={filename} card={preview} />}
    </>
  )
}

function extensionOf(name: string) {
  const [, extension = ''] = /\.([A-Za-z0-9]+)$/.exec(name) ?? []
  return extension.length <= LONGEST_EXTENSION ? extension : ''
}
