/** Texts of the settings in the current language, too large for the first load. */
import { settingsEn } from '../../i18n/settings.en.ts'

export type SettingsWords = typeof settingsEn

/** Read at render time only: German is assigned after this module loads, before the first page. */
export let own: SettingsWords = settingsEn

/** Call before showing the dialog. Falls back to English if the fetch fails. */
export async function useSettingsWords() {
  if (document.documentElement.lang !== 'de') return
  await import('../../i18n/settings.de.ts').then(
    module => {
      own = module.settingsDe
    },
    () => {},
  )
}
