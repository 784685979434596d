import { useId, useState } from 'preact/hooks'
import type { SettingPayload } from '#shared/domain/payloads/administration.ts'
import { strings } from '../../i18n/i18n.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { AccentSample } from './AccentSample.tsx'
import { type Outcome, SettingField } from './SettingField.tsx'
import { isWebSetting } from './setting-groups.ts'
import { settingName, shownValue } from './setting-texts.ts'

/** Null goes back to the file. Returns the reason of a refusal in a sentence; `unchanged` if the person gave up. */
export type Save = (setting: SettingPayload, value: unknown) => Promise<'saved' | 'unchanged' | string>

/** Name, help, source and control of a setting. Switches and choices are saved at once, texts with Enter or on leaving. */
export function SettingRow({ setting, save }: { setting: SettingPayload; save: Save }) {
  const { key, value, locked, source } = setting
  const [problem, setProblem] = useState('')
  /** Shown until it is saved or refused. */
  const [wanted, setWanted] = useState<{ value: unknown }>()
  const id = useId()
  const texts = strings.workspaceSettings
  const name = settingName(key)
  const help = texts.settings[key] ? texts.settings[key].help : setting.help
  const put = async (next: unknown): Promise<Outcome> => {
    setWanted({ value: next })
    setProblem('')
    const outcome = await save(setting, next)
    setWanted(undefined)
    if (outcome === 'saved' || outcome === 'unchanged') return outcome
    setProblem(outcome)
    return 'refused'
  }
  const control = {
    id: `${id}-control`,
    name,
    describedBy: [help && `${id}-help`, `${id}-source`, problem && `${id}-problem`].filter(Boolean).join(' '),
    setting: wanted && wanted.value !== null ? { ...setting, value: wanted.value } : setting,
    isWrong: problem !== '',
    put,
    refuse: setProblem,
  }
  return (
    <div class="setting-row" data-setting={key}>
      <div class="setting-text">
        <div class="setting-name">
          {locked ? <b>{name}</b> : <label for={control.id}>{name}</label>}
          <span class="hint" id={`${id}-source`}>
            {isLockedHere(setting) && <Icon name="lock" size={14} />}
            {sourceOf(setting)}
          </span>
        </div>
        {help && (
          <p class="hint" id={`${id}-help`}>
            {help}
          </p>
        )}
        {problem && <ErrorLine id={`${id}-problem`}>{problem}</ErrorLine>}
        {key === 'accent' && typeof value === 'string' && <AccentSample accent={value} />}
      </div>
      <div class="setting-control">
        {source === 'web' && !locked && (
          <button
            type="button"
            class="button button-quiet"
            aria-label={texts.resetName(name)}
            onClick={() => void put(null)}
          >
            {texts.reset}
          </button>
        )}
        {locked ? <Value setting={setting} /> : <SettingField {...control} />}
      </div>
    </div>
  )
}

/** Locked among those that can be changed here; the others are below a heading that says so. */
const isLockedHere = ({ key, locked }: SettingPayload) => locked && isWebSetting(key)

function sourceOf(setting: SettingPayload): string {
  const { source, key } = setting
  const texts = strings.workspaceSettings
  if (isLockedHere(setting)) return texts.locked
  if (source === 'web') return texts.fromHere(shownValue(key, setting.default))
  return source === 'default' ? texts.byDefault : texts.fromFile
}

/** Long values fold. */
function Value({ setting: { key, value, kind } }: { setting: SettingPayload }) {
  if (kind !== 'list' && kind !== 'table') return <span>{shownValue(key, value)}</span>
  const text = shownValue(key, value)
  if (text.length < 60) return <code>{text}</code>
  return (
    <details>
      <summary>{strings.workspaceSettings.show}</summary>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}
