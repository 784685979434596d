/** The words of the language that is shown: English until another one is loaded, and for good if it cannot be. */
import { en } from './words/en.ts'

export type Words = typeof en
export type Language = 'en' | 'de'

const others: { [L in Exclude<Language, 'en'>]: () => Promise<Words> } = {
  de: () => import('./words/de.ts').then(module => module.de),
}

/** Read it where it is shown, never when a module is loaded: the language comes before the first paint, but after that. */
export let words: Words = en

/** To be called once, before anything is shown. */
export async function useLanguage(language: Language) {
  document.documentElement.lang = language
  if (language !== 'en') words = await others[language]()
}

/** What was chosen on this device, else the first language of the browser that we speak. */
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
