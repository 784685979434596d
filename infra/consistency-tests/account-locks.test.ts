import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'

/** Statements that lock an account and do more: read whole, or below shared/access. */
const OWN = [
  'services/janitor/move-messages.ts',
  'shared/notices/own-lists.ts',
  'shared/ownership/ownership.ts',
  'shared/posting/',
]
const LITERAL = /`[^`]*`|'[^'\n]*'/g
const LOCK =
  /\b(?:from|join) users\b[\s\S]*\bfor (?:key share|share|no key update|update)\b(?! of (?:member|scheduled))/

describe('locks on accounts', () => {
  it('are taken with the strengths of shared/access/account-locks.ts', () => {
    const files = globSync('{shared,services}/**/*.ts', { cwd: ROOT }).filter(
      name =>
        !name.includes('node_modules') &&
        !/\.(?:test|fixture)\.ts$/.test(name) &&
        !OWN.some(own => name.startsWith(own)),
    )
    expect(files).to.include('shared/access/account-locks.ts')
    const locks = (name: string) =>
      (readFileSync(join(ROOT, name), 'utf8').match(LITERAL) ?? []).some(literal => LOCK.test(literal))
    expect(files.filter(locks)).to.deep.equal([])
  })
})
