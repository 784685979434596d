import { useId } from 'preact/hooks'
import { chooseLanguage, chosen, type Language, strings } from '../../i18n/i18n.ts'
import { prefer, preferred } from '../../store/preferences/preferences.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { AccountSwitch } from './AccountSwitch.tsx'
import { DeviceFoot, SetRow, SwitchLine } from './rows.tsx'
import './Appearance.css'

/** Changes apply at once, on this device only. */
export function Appearance({ close }: { close: () => void }) {
  const texts = strings.appearance
  return (
    <>
      <div class="settings-body">
        <SetRow title={texts.theme} more={texts.themeMore}>
          <Themes />
        </SetRow>
        <SetRow title={texts.textSize} more={texts.textSizeMore}>
          <div class="settings-side">
            <Segmented
              label={texts.textSize}
              value={preferred.textSize.value}
              choices={choicesOf([14, 15, 17], texts.textSizes)}
              set={textSize => prefer({ textSize })}
            />
            <span class="hint">{texts.pixels}</span>
          </div>
        </SetRow>
        <SetRow title={texts.density} more={texts.densityMore}>
          <Segmented
            label={texts.density}
            value={preferred.density.value}
            choices={choicesOf(['comfortable', 'compact'], texts.densities)}
            set={density => prefer({ density })}
          />
        </SetRow>
        <SetRow title={texts.width} more={texts.widthMore}>
          <Segmented
            label={texts.width}
            value={preferred.width.value}
            choices={choicesOf(['column', 'full'], texts.widths)}
            set={width => prefer({ width })}
          />
        </SetRow>
        <SetRow title={texts.clock}>
          <Segmented
            label={texts.clock}
            value={preferred.clock.value}
            choices={choicesOf(['system', '24', '12'], texts.clocks)}
            set={clock => prefer({ clock })}
          />
        </SetRow>
        <SetRow title={texts.motion}>
          <Segmented
            label={texts.motion}
            value={preferred.motion.value}
            choices={choicesOf(['system', 'reduce'], texts.motions)}
            set={motion => prefer({ motion })}
          />
        </SetRow>
        <Reading />
        <SetRow title={texts.cards} more={texts.cardsMore}>
          <SwitchLine
            title={texts.showCards}
            on={preferred.showCards.value}
            set={showCards => prefer({ showCards })}
          />
        </SetRow>
        <SetRow title={texts.language} more={texts.languageMore}>
          <Segmented
            label={texts.language}
            value={(chosen() as Language | undefined) ?? 'system'}
            choices={choicesOf(['system', 'en', 'de'], texts.languages)}
            set={language => {
              chooseLanguage(language === 'system' ? undefined : language)
              location.reload()
            }}
          />
        </SetRow>
      </div>
      <DeviceFoot close={close} />
    </>
  )
}

function Reading() {
  const texts = strings.reading
  return (
    <>
      <SetRow title={texts.opensAt} more={texts.opensAtMore}>
        <Segmented
          label={texts.opensAt}
          value={preferred.opensAt.value}
          choices={choicesOf(['unread', 'newest'], texts.places)}
          set={opensAt => prefer({ opensAt })}
        />
      </SetRow>
      <SetRow title={texts.marksRead} more={texts.marksReadMore}>
        <Segmented
          label={texts.marksRead}
          value={preferred.marksRead.value}
          choices={choicesOf(['seen', 'byHand'], texts.ways)}
          set={marksRead => prefer({ marksRead })}
        />
      </SetRow>
      <AccountSwitch name="fold_replies" texts={texts.foldReplies} />
    </>
  )
}

/** Ordered explicitly: objects list numeric keys first. */
function choicesOf<const T extends string | number>(order: readonly T[], labels: Record<T, string>) {
  return order.map(value => ({ value, label: labels[value] }))
}

const THEMES = [
  { value: 'system', icon: 'monitor' },
  { value: 'light', icon: 'sun' },
  { value: 'dark', icon: 'moon' },
] as const

function Themes() {
  const name = useId()
  return (
    <div class="theme-choices" role="radiogroup" aria-label={strings.appearance.theme}>
      {THEMES.map(({ value, icon }) => (
        <label key={value} class="theme-choice">
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={preferred.theme.value === value}
            onChange={() => prefer({ theme: value })}
          />
          {value === 'system' ? (
            <span class="theme-preview-both">
              <Miniature theme="light" />
              <Miniature theme="dark" />
            </span>
          ) : (
            <Miniature theme={value} />
          )}
          <span class="theme-choice-name">
            <Icon name={icon} size={16} />
            {strings.appearance.themes[value]}
          </span>
        </label>
      ))}
    </div>
  )
}

function Miniature({ theme }: { theme: 'light' | 'dark' }) {
  const lines = [0, 1, 2, 3].map(line => <i key={line} />)
  return (
    <span class="theme-preview" data-theme={theme} aria-hidden="true">
      <span class="theme-preview-side">{lines}</span>
      <span class="theme-preview-main">{lines}</span>
    </span>
  )
}
