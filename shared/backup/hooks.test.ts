import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runHook } from './hooks.ts'

describe('a hook of backups', () => {
  let folder: string
  const write = (script: string, mode = 0o700) => {
    const path = join(folder, 'hooks/after-backup')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, mode)
  }
  const faultOf = async (options = {}) => {
    try {
      return String(await runHook(folder, 'after-backup', '/backups/one', options))
    } catch (err) {
      return (err as Error).message
    }
  }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bothy-hooks-'))
    mkdirSync(join(folder, 'hooks'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('need not be there', async () => {
    expect(await faultOf()).to.equal('false')
  })

  it('gets the path of the backup, and no address of a store', async () => {
    process.env['REDIS_URL_OF_HOOKS'] = 'redis://secret'
    write('echo "$1" > seen; env >> seen')
    expect(await faultOf()).to.equal('true')
    delete process.env['REDIS_URL_OF_HOOKS']
    const seen = readFileSync(join(folder, 'seen'), 'utf8')
    expect(seen).to.match(/^\/backups\/one\n/)
    expect(seen).to.not.include('redis://')
  })

  it('tells how it failed, in the end of its output', async () => {
    write('yes x | head -c 100000; echo; echo no such host >&2; exit 3')
    const fault = await faultOf()
    expect(fault).to.match(/^hooks\/after-backup ended with 3\..*no such host$/s)
    expect(fault.length).to.be.lessThan(600)
    write('exit 0', 0o600)
    if (process.getuid?.() !== 0) expect(await faultOf()).to.equal('hooks/after-backup is not executable.')
  })

  it('is killed when it takes too long', async () => {
    write('exec sleep 600')
    expect(await faultOf({ within: 200 })).to.equal('hooks/after-backup took too long.')
  })
})
