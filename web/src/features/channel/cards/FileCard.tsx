import { useState } from 'preact/hooks'
import { languageOf } from '#shared/domain/code-preview.ts'
import { isInline, kindOfType } from '#shared/domain/file-types.ts'
import type { MessageFile } from '#shared/domain/payloads/messages.ts'
import type { CodePreviewPayload } from '#shared/domain/payloads/previews.ts'
import { originalName } from '#shared/domain/uploads.ts'
import { ExtensionTile } from '../../../common/ExtensionTile.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { filePreview } from '../../../net/messages/link-previews.ts'
import { fileAddress } from '../../../net/requests/endpoints.ts'
import type { ShownRow } from '../../../store/messages/items.ts'
import { showToast } from '../../../ui/feedback.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { AudioPlayer } from './AudioPlayer.tsx'
import { CodeCard } from './CodeCard.tsx'
import { VideoPlayer, WholeScreen } from './VideoPlayer.tsx'
import { readZip, ZipContents, type ZipList } from './ZipContents.tsx'
import './FileCard.css'

export interface FileProps {
  one: ShownRow
}

/** A file with its name, kind, size and actions; films and sounds play in place, text and archives can be looked into. */
export function FileCard({ one }: FileProps) {
  const { row, pending } = one
  const filename = row.filename!
  const file = row.extra?.file ?? {
    name: pending ? filename : originalName(filename),
    size: pending?.file?.size,
    type: '',
  }
  const [isUnplayable, setUnplayable] = useState(false)
  const [lines, setLines] = useState(0)
  const [preview, setPreview] = useState<CodePreviewPayload>()
  const [archive, setArchive] = useState<ZipList>()
  const kind = kindOf(file)
  const plays = !pending && !isUnplayable && isInline(file.type) && (kind === 'video' || kind === 'audio')
  const player = { address: fileAddress(filename), name: file.name, giveUp: () => setUnplayable(true) }
  return (
    <>
      <div class="file-card" data-message-id={row.id > 0 ? row.id : undefined}>
        {plays && kind === 'video' && <VideoPlayer {...player} onLines={setLines} />}
        <div class="file-card-line">
          {!plays && <ExtensionTile name={file.name} />}
          <span class="file-card-text">
            <b title={file.name} dir="auto">
              {file.name}
            </b>
            {file.size !== undefined && (
              <span class="hint tabular-numbers">{aboutFile(kind, file.size, { lines, archive })}</span>
            )}
          </span>
          {plays && kind === 'video' && <WholeScreen name={file.name} />}
          {!pending && kind === 'zip' && (
            <ArchiveButton {...player} archive={archive} setArchive={setArchive} />
          )}
          {!pending && <Actions filename={filename} file={file} preview={preview} setPreview={setPreview} />}
        </div>
        {plays && kind === 'audio' && <AudioPlayer {...player} size={file.size} />}
        {archive && <ZipContents list={archive} name={file.name} />}
      </div>
      {preview && <CodeCard name={filename} card={preview} />}
    </>
  )
}

type Kind = keyof typeof strings.files.kinds

const kindOf = ({ name, type }: Pick<MessageFile, 'name' | 'type'>): Kind =>
  /\.zip$/i.test(name) ? 'zip' : kindOfType(type)

function aboutFile(
  kind: Kind,
  size: number,
  { lines, archive }: { lines: number; archive: ZipList | undefined },
) {
  const say = strings.files
  if (archive && !archive.isCut) return say.archive(archive.files.length, size)
  return kind === 'video' && lines > 0 ? say.film(lines, size) : say.sized(say.kinds[kind], size)
}

interface ArchiveProps {
  address: string
  name: string
  archive: ZipList | undefined
  setArchive: (archive: ZipList | undefined) => void
}

function ArchiveButton({ address, name, archive, setArchive }: ArchiveProps) {
  const [isAsking, setAsking] = useState(false)
  const show = async () => {
    setAsking(true)
    const found = await readZip(address).catch(() => undefined)
    setAsking(false)
    setArchive(found)
    if (!found) showToast(strings.files.noPreview, { icon: 'info' })
  }
  return (
    <IconButton
      icon={archive ? 'chev-up' : 'chev-down'}
      label={strings.files.contents(name)}
      aria-expanded={archive !== undefined}
      aria-busy={isAsking}
      onClick={() => (archive ? setArchive(undefined) : void show())}
    />
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
