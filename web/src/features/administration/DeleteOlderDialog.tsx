import { useEffect, useState } from 'preact/hooks'
import type { RetentionPreview } from '#shared/domain/payloads/administration.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { strings } from '../../i18n/i18n.ts'
import { retentionPreview } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { nameOf } from '../../store/channels/names.ts'

interface Props {
  setting: string
  value: number
  answer: (isWanted: boolean) => void
}

/** Asks before a setting deletes what was kept so far, and shows how much that is. */
export function DeleteOlderDialog({ setting, value, answer }: Props) {
  const [preview, setPreview] = useState<RetentionPreview>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    retentionPreview(setting, value).then(setPreview, error => {
      tolerateFailure(error)
      setFailed(true)
    })
  }, [])
  const texts = strings.workspaceSettings
  return (
    <FormDialog
      title={texts.deleteTitle}
      close={() => answer(false)}
      form={() => answer(true)}
      label={texts.deleteRun}
      danger
      narrow
    >
      <p class="dialog-text">
        {texts.deleteOlder[setting]?.(value)} {texts.cannotUndo}
      </p>
      <p class="retention-now" role="status">
        {preview ? texts.deletesNow(preview) : hasFailed ? texts.notCounted : texts.counting}
      </p>
      {preview && preview.channels.length > 0 && <ChannelList preview={preview} />}
    </FormDialog>
  )
}

/** Private channels and conversations are one line. */
function ChannelList({ preview }: { preview: RetentionPreview }) {
  const texts = strings.workspaceSettings
  return (
    <details class="retention-list">
      <summary>{texts.showList}</summary>
      <ul>
        {preview.channels.map(({ channel, ...some }) => (
          <li key={channel}>
            <bdi>{channel === null ? texts.privateOnes : nameOf(channel)}</bdi>
            <span class="hint">{texts.amount({ ...some, entries: 0 })}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
