/** Adds the English strings of the administration, which are not in the first load. */
import { administration } from './en/administration.ts'
import { audit } from './en/audit.ts'
import { backups } from './en/backups.ts'
import { en } from './en/index.ts'
import { office } from './en/office.ts'

Object.assign(en, administration, audit, backups, office)
