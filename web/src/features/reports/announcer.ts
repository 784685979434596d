/**
 * Announces new messages of the open channel to screen readers (ui.md 8). The first is announced at once; those of the
 * next two seconds are collected, and only counted if there are too many. Pure but for its clock.
 */
import type { Milliseconds } from '#shared/domain/units.ts'

const WITHIN: Milliseconds = 2_000
const MOST = 3

export interface Speaker {
  each: (text: string) => void
  many: (count: number) => void
}

export function newAnnouncer(speaker: Speaker, after: (ms: Milliseconds, run: () => void) => unknown) {
  let held: string[] | undefined
  const announce = (texts: string[]) => {
    if (texts.length > MOST) speaker.many(texts.length)
    else for (const text of texts) speaker.each(text)
  }
  return (texts: string[]) => {
    if (texts.length === 0) return
    if (held) {
      held.push(...texts)
      return
    }
    announce(texts)
    held = []
    after(WITHIN, () => {
      const waited = held ?? []
      held = undefined
      announce(waited)
    })
  }
}
