/** The displayed strings: a chunk per language, which the page fetches beside the app (`language.js`). */
import type { Strings } from './en/index.ts'

export type Language = 'en' | 'de'

const catalogues: Record<Language, () => Promise<Strings>> = {
  en: () => import('./en/index.ts').then(module => module.en),
  de: () => import('./de/index.ts').then(module => module.de),
}

/** Read at render time, never at module load: the language is set after the modules load, before the first paint. */
export let strings: Strings

export function setStrings(catalogue: Strings) {
  strings = catalogue
}

/** The language of the page, which `language.js` has chosen before the bundle runs. Pure tests have no page. */
export const pageLanguage = (): Language => (globalThis.document?.documentElement.lang === 'de' ? 'de' : 'en')

/** Call once, before the first paint. English replaces another language whose chunk cannot be loaded. */
export async function loadStrings() {
  const english = () => {
    document.documentElement.lang = 'en'
    return catalogues.en()
  }
  setStrings(await catalogues[pageLanguage()]().catch(english))
}

const KEY = 'bothy language'

export function chooseLanguage(language: Language | undefined) {
  try {
    if (language) localStorage.setItem(KEY, language)
    else localStorage.removeItem(KEY)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

export function chosen(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return undefined
  }
}
