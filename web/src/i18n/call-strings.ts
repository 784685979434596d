/** Adds the English strings of calls and screen shares, which are not in the first load. */
import { calls } from './en/calls.ts'
import { en } from './en/index.ts'
import { shares } from './en/shares.ts'

Object.assign(en, calls, shares)
