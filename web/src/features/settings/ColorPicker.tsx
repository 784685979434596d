import { useId } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Face } from './Face.tsx'
import { presets, shownColor } from './own-color.ts'
import * as draft from './profile-draft.ts'
import './ColorPicker.css'

export function ColorPicker() {
  const texts = strings.myProfile
  const name = useId()
  const shown = shownColor()
  const isWrong = draft.colorNow.value === undefined
  const choose = (color: string | null) => {
    draft.color.value = color
  }
  return (
    <>
      <div class="color-swatches" role="radiogroup" aria-label={texts.color}>
        {presets().map((preset, index) => (
          <label key={preset} class="color-swatch" style={{ '--nc': preset }} title={texts.colors[index]}>
            <input
              type="radio"
              class="visually-hidden"
              name={name}
              aria-label={texts.colors[index]}
              checked={!isWrong && preset === shown}
              onChange={() => choose(preset)}
            />
            <Icon name="check" size={16} />
          </label>
        ))}
      </div>
      <div class="color-row">
        <div class={`input input-small color-hex${isWrong ? ' is-error' : ''}`} style={{ '--nc': shown }}>
          <span />
          <input
            id="hex-colour"
            aria-label={texts.hex}
            value={draft.color.value ?? shown}
            maxLength={7}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={isWrong}
            aria-describedby={isWrong ? `${name}-wrong` : undefined}
            onInput={event => choose(event.currentTarget.value)}
          />
        </div>
        {draft.colorNow.value !== null && (
          <button type="button" class="button button-quiet" onClick={() => choose(null)}>
            {texts.useDefault}
          </button>
        )}
        {isWrong && (
          <p id={`${name}-wrong`} class="error">
            <Icon name="alert" size={16} />
            {texts.hexWrong}
          </p>
        )}
      </div>
      <div class="color-previews" aria-hidden="true">
        <Preview theme="light" color={shown} />
        <Preview theme="dark" color={shown} />
      </div>
    </>
  )
}

function Preview({ theme, color }: { theme: 'light' | 'dark'; color: string }) {
  return (
    <div class="color-preview" data-theme={theme}>
      <Face size={32} />
      <div>
        <div class="message-row-head">
          <bdi class="person-name" style={{ '--nc': color }}>
            {viewer}
          </bdi>
          <time>{strings.time(SAMPLE_TIME)}</time>
        </div>
        <div class="message-text">{strings.myProfile.sample}</div>
      </div>
    </div>
  )
}

/** 10:04 local time. */
const SAMPLE_TIME = new Date(2026, 0, 1, 10, 4).getTime() / 1000
