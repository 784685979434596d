/** Adds the English strings of the administration, which are not in the first load. */
import { administration } from './en/administration.ts'
import { en } from './en/index.ts'

Object.assign(en, administration)
