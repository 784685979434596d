import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { noteUpgrade, upgradeReminder } from './upgraded-to.ts'

describe('what is left to do after an upgrade', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bothy-upgraded-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const commit = () => {
    git('commit', '--quiet', '--allow-empty', '--message', 'a release')
    return git('rev-parse', 'HEAD')
  }

  it('is said until the clone has the commit or a later one, then forgotten', () => {
    git('init', '--quiet')
    const former = commit()
    const next = commit()
    git('checkout', '--quiet', former)
    noteUpgrade(folder, { root: join(folder, 'releases/next'), commit: next })
    const sentence = `Now, before the next npm start: git checkout ${next}`
    expect(upgradeReminder(folder, folder)).to.equal(sentence)
    expect(upgradeReminder(folder, folder)).to.equal(sentence)
    git('checkout', '--quiet', next)
    commit()
    expect(upgradeReminder(folder, folder)).to.equal(undefined)
    expect(existsSync(join(folder, 'upgraded-to'))).to.equal(false)
  })

  it('names the folder of a release that is no commit of the clone, except in that folder', () => {
    const data = folder
    noteUpgrade(data, { root: '/opt/next' })
    expect(upgradeReminder(data, '/opt/former')).to.equal(
      `From now on run npm start in /opt/next, with BOTHY_DATA=${data}.`,
    )
    expect(upgradeReminder(data, '/opt/next')).to.equal(undefined)
    expect(upgradeReminder(data, '/opt/former')).to.equal(undefined)
  })
})
