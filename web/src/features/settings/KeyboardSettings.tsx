import { strings } from '../../i18n/i18n.ts'
import { prefer, preferred } from '../../store/preferences/preferences.ts'
import { isMac } from '../../store/store.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import { openKeyboardSheet } from '../keyboard-sheet/open-keyboard-sheet.ts'
import { DeviceFoot, SetRow, SwitchLine } from './rows.tsx'

export function KeyboardSettings({ close }: { close: () => void }) {
  const texts = strings.keyboardSettings
  return (
    <>
      <div class="settings-body">
        <SetRow title={texts.sendWith} more={texts.sendWithMore}>
          <Segmented
            label={texts.sendWith}
            value={preferred.sendWith.value}
            choices={[
              { value: 'enter', label: texts.sendWithChoices.enter },
              { value: 'ctrlEnter', label: isMac ? texts.sendWithMac : texts.sendWithChoices.ctrlEnter },
            ]}
            set={sendWith => prefer({ sendWith })}
          />
        </SetRow>
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
