/** Adds the English strings of panels and dialogs that are not in the first load. */

import { browse } from './en/browse.ts'
import { details } from './en/details.ts'
import { dialogs } from './en/dialogs.ts'
import { files } from './en/files.ts'
import { finding } from './en/finding.ts'
import { firstSteps } from './en/first-steps.ts'
import { en } from './en/index.ts'
import { keyboard } from './en/keyboard.ts'
import { privateDialog } from './en/private-dialog.ts'
import { rowMenu } from './en/row-menu.ts'
import { search } from './en/search.ts'

Object.assign(
  en,
  browse,
  details,
  dialogs,
  files,
  finding,
  firstSteps,
  keyboard,
  privateDialog,
  rowMenu,
  search,
)
