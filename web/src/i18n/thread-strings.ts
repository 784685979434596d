/** Adds the English strings of threads, which are not in the first load. */
import { en } from './en/index.ts'
import { threads } from './en/threads.ts'

Object.assign(en, threads)
