/** Adds the English strings of files, which are not in the first load. */
import { files } from './en/files.ts'
import { en } from './en/index.ts'

Object.assign(en, files)
