/** Adds the English strings of panels and dialogs that are not in the first load. */

import { browse } from './en/browse.ts'
import { firstSteps } from './en/first-steps.ts'
import { en } from './en/index.ts'
import { keyboard } from './en/keyboard.ts'
import { search } from './en/search.ts'

Object.assign(en, browse, firstSteps, keyboard, search)
