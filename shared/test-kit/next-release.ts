import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import type { Release } from '#shared/stores/migrate.ts'
import { temporaryFolder } from '../../infra/processes/children.ts'

export const NEXT = '999.0.0'

export interface NextRelease extends Release {
  add(name: string, sql: string): void
  remove(): void
}

/** The migrations of this release in a folder, to which a test adds those of the next one. */
export function nextRelease(): NextRelease {
  const { path: folder, remove } = temporaryFolder('bothy-next-')
  cpSync(join(ROOT, 'shared/stores/migrations'), folder, { recursive: true })
  return { folder, version: NEXT, add: (name, sql) => writeFileSync(join(folder, name), sql), remove }
}
