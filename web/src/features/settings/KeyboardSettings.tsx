import { strings } from '../../i18n/i18n.ts'
import { prefer, preferred } from '../../store/preferences.ts'
import { openKeyboardSheet } from '../keyboard-sheet/open-keyboard-sheet.ts'
import { DeviceFoot, SetRow, SwitchLine } from './rows.tsx'

export function KeyboardSettings({ close }: { close: () => void }) {
  const say = strings.keyboardSettings
  return (
    <>
      <div class="settings-body">
        <SetRow title={say.letters} more={say.lettersMore}>
          <SwitchLine
            title={say.lettersSwitch}
            on={preferred.singleLetterKeys.value}
            set={singleLetterKeys => prefer({ singleLetterKeys })}
          />
        </SetRow>
        <SetRow title={say.sheet} more={say.sheetMore}>
          <button
            type="button"
            class="button"
            onClick={() => {
              close()
              openKeyboardSheet()
            }}
          >
            {say.show}
          </button>
        </SetRow>
      </div>
      <DeviceFoot close={close} />
    </>
  )
}
