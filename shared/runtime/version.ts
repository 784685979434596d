import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './config.ts'

/** The commit that was built, or `unknown`. */
export const COMMIT = process.env['BOTHY_COMMIT'] ?? 'unknown'

/** The version in package.json. */
export const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string })
  .version
