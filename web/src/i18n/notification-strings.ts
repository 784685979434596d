/** Adds the English strings of notifications, which are not in the first load. */
import { en } from './en/index.ts'
import { telling } from './en/telling.ts'

Object.assign(en, telling)
