import { useState } from 'preact/hooks'
import { languageOf } from '#shared/domain/code-preview.ts'
import { isInline, kindOfType } from '#shared/domain/file-types.ts'
import type { CodePreviewPayload, MessageFile } from '#shared/domain/payloads.ts'
import { originalName } from '#shared/domain/uploads.ts'
import { strings } from '../../../i18n/i18n.ts'
import { fileAddress } from '../../../net/endpoints.ts'
import { filePreview } from '../../../net/link-previews.ts'
import type { ShownRow } from '../../../store/items.ts'
import { showToast } from '../../../ui/feedback.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { CodeCard } from './CodeCard.tsx'
import { ExtensionTile } from './ExtensionTile.tsx'
import './FileCard.css'

export interface FileProps {
  one: ShownRow
}

/** A file with its name, size and actions; films and sounds play in place, and text can be read. */
export function FileCard({ one }: FileProps) {
  const { row, pending } = one
  const filename = row.filename!
  const file = row.extra?.file ?? {
    name: pending ? filename : originalName(filename),
    size: pending?.file?.size,
    type: '',
  }
  const [isUnplayable, setUnplayable] = useState(false)
  const [preview, setPreview] = useState<CodePreviewPayload>()
  const kind = kindOfType(file.type)
  const plays = !pending && !isUnplayable && isInline(file.type) && (kind === 'video' || kind === 'audio')
  const giveUp = () => setUnplayable(true)
  return (
    <>
      <div class="file-card" data-message-id={row.id > 0 ? row.id : undefined}>
        {plays && kind === 'video' && (
          // biome-ignore lint/a11y/useMediaCaption: an upload brings no captions
          <video
            controls
            playsInline
            preload="metadata"
            src={fileAddress(filename)}
            aria-label={file.name}
            onError={giveUp}
          />
        )}
        <div class="file-card-line">
          {!plays && <ExtensionTile name={file.name} />}
          <span class="file-card-text">
            <b title={file.name} dir="auto">
              {file.name}
            </b>
            {file.size !== undefined && (
              <span class="hint tabular-numbers">{strings.files.size(file.size)}</span>
            )}
          </span>
          {!pending && <Actions filename={filename} file={file} preview={preview} setPreview={setPreview} />}
        </div>
        {plays && kind === 'audio' && (
          // biome-ignore lint/a11y/useMediaCaption: an upload brings no captions
          <audio
            controls
            preload="metadata"
            src={fileAddress(filename)}
            aria-label={file.name}
            onError={giveUp}
          />
        )}
      </div>
      {preview && <CodeCard name={filename} card={preview} />}
    </>
  )
}

interface ActionProps {
  filename: string
  file: Pick<MessageFile, 'name' | 'type'>
  preview: CodePreviewPayload | undefined
  setPreview: (preview: CodePreviewPayload | undefined) => void
}

function Actions({ filename, file: { name, type }, preview, setPreview }: ActionProps) {
  const [isAsking, setAsking] = useState(false)
  const say = strings.files
  const show = async () => {
    setAsking(true)
    const found = await filePreview(filename).catch(() => undefined)
    setAsking(false)
    setPreview(found)
    if (!found) showToast(say.noPreview, { icon: 'info' })
  }
  return (
    <>
      {type === 'application/pdf' && (
        <a
          class="icon-button"
          href={fileAddress(filename)}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={say.open(name)}
          title={say.open(name)}
        >
          <Icon name="external" />
        </a>
      )}
      {languageOf(name) !== undefined && (
        <IconButton
          icon="eye"
          label={say.preview(name)}
          aria-expanded={preview !== undefined}
          aria-busy={isAsking}
          onClick={() => (preview ? setPreview(undefined) : void show())}
        />
      )}
      <a
        class="icon-button"
        href={`${fileAddress(filename)}?download=1`}
        download={name}
        aria-label={say.download(name)}
        title={say.download(name)}
      >
        <Icon name="download" />
      </a>
    </>
  )
}
