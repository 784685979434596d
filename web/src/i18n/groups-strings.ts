/** Adds the English strings of groups, which are not in the first load. */
import { groups } from './en/groups.ts'
import { en } from './en/index.ts'

Object.assign(en, groups)
