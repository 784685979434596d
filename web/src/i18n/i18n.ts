/** Words of the displayed language: English until another one is loaded, and if it cannot be. */
import { en } from './en.ts'
import type { enLater } from './later.en.ts'

type First = typeof en
type Later = typeof enLater
export type Words = First & Later
export type Language = 'en' | 'de'

const first: Record<Language, () => Promise<First>> = {
  en: async () => en,
  de: () => import('./de.ts').then(module => module.de),
}
const later: Record<Language, () => Promise<Later>> = {
  en: () => import('./later.en.ts').then(module => module.enLater),
  de: () => import('./later.de.ts').then(module => module.deLater),
}

/**
 * Read at render time, never at module load: the language is set before the first paint, but after the modules have
 * loaded.
 */
export let words = en as Words

let shown: Language = 'en'
let merged: Promise<void> | undefined

/** Call once, before the first paint. */
export async function useLanguage(language: Language) {
  document.documentElement.lang = language
  words = (await first[language]()) as Words
  shown = language
}

/** Words that the first screen does not need. Every part that uses them must wait for this: see later.ts. */
export function laterWords(): Promise<void> {
  merged ??= later[shown]()
    .then(sections => {
      const all = words as unknown as Record<string, object>
      for (const [name, section] of Object.entries(sections)) all[name] = { ...all[name], ...section }
    })
    .catch(error => {
      merged = undefined
      throw error
    })
  return merged
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
