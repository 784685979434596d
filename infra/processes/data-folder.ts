import { resolve } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

/**
 * The data of a clone, ignored by git. BOTHY_DATA names another folder, to run a second instance from the same clone.
 */
export const DATA = resolve(ROOT, process.env.BOTHY_DATA || '.data')
