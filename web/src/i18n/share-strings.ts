/** Adds the English strings of screen shares, which are not in the first load. */
import { en } from './en/index.ts'
import { shares } from './en/shares.ts'

Object.assign(en, shares)
