/** Adds the English strings of panels and dialogs that are not in the first load. */

import { en } from './en/index.ts'
import { keyboard } from './en/keyboard.ts'
import { search } from './en/search.ts'

Object.assign(en, keyboard, search)
