/** Adds the English strings of pins, saved messages and scheduled sends, which are not in the first load. */
import { en } from './en/index.ts'
import { later } from './en/later.ts'

Object.assign(en, later)
