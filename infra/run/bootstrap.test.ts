import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'

/** Stands for npm: installs the only package. */
const NPM = `import { mkdirSync } from 'node:fs'\nmkdirSync('node_modules/emoji', { recursive: true })\n`

describe('the bootstrap of the npm scripts', () => {
  let root: string
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const check = () =>
    spawnSync(process.execPath, [join(root, 'infra/run/bootstrap.mjs'), 'check'], {
      env: { ...process.env, npm_execpath: join(root, 'npm.js'), npm_lifecycle_event: '' },
      encoding: 'utf8',
    }).stdout

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'bothy-bootstrap-'))
    const lockfile = JSON.stringify({ packages: { 'node_modules/emoji': { version: '1.0.0' } } })
    write('package.json', '{"type":"module"}')
    write('package-lock.json', lockfile)
    write('node_modules/.package-lock.json', lockfile)
    write('npm.js', NPM)
    write('infra/test-runner/check.ts', `console.log('checked')`)
    mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
    symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'))
    cpSync(join(ROOT, 'infra/run/bootstrap.mjs'), join(root, 'infra/run/bootstrap.mjs'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('installs a package whose folder is missing, though the list of npm names it', () => {
    expect(check()).to.match(/^Installing[\s\S]*checked\n$/)
    expect(check()).to.equal('checked\n')
  })
})
