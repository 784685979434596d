/** English strings for pure tests, which have no page. */
import { en } from './en/index.ts'
import { setStrings } from './i18n.ts'

setStrings(en)
