/** The displayed strings: English is part of the bundle, German is one lazy chunk. */
import { en, type Strings } from './en/index.ts'

export type Language = 'en' | 'de'

const catalogues: Record<Language, () => Promise<Strings>> = {
  en: async () => en,
  de: () => import('./de/index.ts').then(module => module.de),
}

/** Read at render time, never at module load: the language is set after the modules load, before the first paint. */
export let strings: Strings = en

/** Call once, before the first paint. Strings stay English if the chunk does not load. */
export async function useLanguage(language: Language) {
  document.documentElement.lang = language
  strings = await catalogues[language]().catch(() => en)
}

/** The language chosen on this device, else the browser's first one with a translation. */
export function preferredLanguage(): Language {
  for (const tag of [chosen(), ...navigator.languages]) {
    const language = tag?.slice(0, 2)
    if (language === 'en' || language === 'de') return language
  }
  return 'en'
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
