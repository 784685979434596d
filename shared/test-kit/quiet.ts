import { setTimeout as pause } from 'node:timers/promises'

/** Waits longer than the longest minimum interval of a collection: no frame of an earlier change is outstanding. */
export const quiet = () => pause(1_300)

/** Waits until each process has read settings.json again, which it does every half second. */
export const settingsRead = () => pause(1_000)
