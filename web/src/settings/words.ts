/** The words of the settings in the language that is shown. They are many, and no part of the first load. */
import { settingsEn } from '../words/settings.en.ts'

export type SettingsWords = typeof settingsEn

/** Read it where it is shown: German comes after the module, and before the first page. */
export let own: SettingsWords = settingsEn

/** To be called before the dialog is shown. Without its words it speaks English. */
export async function useSettingsWords() {
  if (document.documentElement.lang !== 'de') return
  await import('../words/settings.de.ts').then(
    module => {
      own = module.settingsDe
    },
    () => {},
  )
}
