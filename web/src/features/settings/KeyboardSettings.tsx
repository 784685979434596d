import { strings } from '../../i18n/i18n.ts'
import { prefer, preferred } from '../../store/preferences.ts'
import { openKeyboardSheet } from '../keyboard-sheet/open-keyboard-sheet.ts'
import { DeviceFoot, SetRow, SwitchLine } from './rows.tsx'

export function KeyboardSettings({ close }: { close: () => void }) {
  const texts = strings.keyboardSettings
  return (
    <>
      <div class="settings-body">
        <SetRow title={texts.letters} more={texts.lettersMore}>
          <SwitchLine
            title={texts.lettersSwitch}
            on={preferred.singleLetterKeys.value}
            set={singleLetterKeys => prefer({ singleLetterKeys })}
          />
        </SetRow>
        <SetRow title={texts.sheet} more={texts.sheetMore}>
          <button
            type="button"
            class="button"
            onClick={() => {
              close()
              openKeyboardSheet()
            }}
          >
            {texts.show}
          </button>
        </SetRow>
      </div>
      <DeviceFoot close={close} />
    </>
  )
}
