/** Adds the English strings of the settings, which are not in the first load. */
import './call-strings.ts'
import { en } from './en/index.ts'
import { settings } from './en/settings.ts'

Object.assign(en, settings)
