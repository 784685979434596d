import { useEffect, useRef, useState } from 'preact/hooks'
import type { SettingPayload } from '#shared/domain/payloads/administration.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { changeSettings, settings } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { workspace } from '../../store/store.ts'
import { DeleteOlderDialog } from './DeleteOlderDialog.tsx'
import { LogoRow } from './LogoRow.tsx'
import { confirmed } from './open-confirmed.ts'
import { PageFrame } from './PageFrame.tsx'
import { type Save, SettingRow } from './SettingRow.tsx'
import { deletesMore, groupsOf } from './setting-groups.ts'
import './SettingsPage.css'

/** All settings of the workspace with help and source. Each is saved at once. */
export function SettingsPage() {
  const { items, hasFailed, reload } = useSettings()
  const [saved, setSaved] = useState<Seconds>()
  const [asked, setAsked] = useState<Asked>()
  const texts = strings.workspaceSettings
  const noteSaved = () => setSaved(Date.now() / 1000)

  const save: Save = async (setting, value) => {
    if (deletesMore(setting, value)) {
      const isWanted = await new Promise<boolean>(answer => setAsked({ setting: setting.key, value, answer }))
      setAsked(undefined)
      if (!isWanted) return 'unchanged'
    }
    try {
      if (!(await confirmed(() => changeSettings({ [setting.key]: value })))) return 'unchanged'
    } catch (error) {
      tolerateFailure(error)
      return error.status === 400 ? texts.outOfRange : error.status === 403 ? texts.refused : texts.notSaved
    }
    await reload()
    noteSaved()
    return 'saved'
  }
  return (
    <PageFrame
      narrow
      beside={
        <span class="hint" role="status">
          {saved !== undefined && texts.saved(saved)}
        </span>
      }
    >
      {hasFailed && (
        <div class="empty-state" role="alert">
          <p>{texts.notLoaded}</p>
          <button type="button" class="button" onClick={() => void reload()}>
            {strings.tryAgain}
          </button>
        </div>
      )}
      {groupsOf(items).map(([group, ones]) => (
        <section key={group} class="setting-group" aria-labelledby={`settings-${group}`}>
          <h2 id={`settings-${group}`}>{texts.groups[group]}</h2>
          {group === 'file' && <p class="hint">{texts.fileMore}</p>}
          <div class="setting-box">
            {group === 'office' && <LogoRow saved={noteSaved} />}
            {ones.map(one => (
              <SettingRow key={one.key} setting={one} save={save} />
            ))}
          </div>
        </section>
      ))}
      {asked && <DeleteOlderDialog {...asked} />}
    </PageFrame>
  )
}

interface Asked {
  setting: string
  value: number
  answer: (isWanted: boolean) => void
}

/** Read again when the look of the workspace changes, which others may do. */
function useSettings() {
  const [items, setItems] = useState<SettingPayload[]>([])
  const [hasFailed, setFailed] = useState(false)
  const isHere = useRef(true)
  const reload = async () => {
    try {
      const list = await settings()
      if (!isHere.current) return
      setItems(list.items)
      setFailed(false)
    } catch (error) {
      tolerateFailure(error)
      if (isHere.current) setFailed(true)
    }
  }
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  const look = workspace.value
  useEffect(() => void reload(), [look])
  return { items, hasFailed, reload }
}
