import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Milliseconds } from '#shared/domain/units.ts'
import { load } from '#shared/test-kit/load.ts'
import { NEXT, UpgradableStart } from '#shared/test-kit/upgradable-start.ts'

describe('an upgrade of npm start', function () {
  this.timeout(240_000)
  let start: UpgradableStart
  beforeEach(async () => {
    start = await UpgradableStart.begin()
  })
  afterEach(() => start.end())

  it('whose program is killed while the processes are away brings the former ones back', async () => {
    const people = load(start.ada, start.url)
    const lines = ['The processes are stopped.', 'Backup: ', 'The processes are those of the new release.']
    let outputs = ''
    for (const [i, line] of lines.entries()) {
      const { code, output } = await start.upgrade(line)
      outputs += output
      expect(code, output).to.equal(null)
      await start.product.until(
        () => start.product.output.split('The upgrade broke off').length === i + 2,
        'npm start noticed',
      )
      await start.isBack()
    }
    await start.ends(people, outputs)
  })

  it('during which npm start is stopped or killed loses nothing, and the next npm start is the former one', async () => {
    start.inRelease('infra/tools/smoke-test.ts', smokeOf(3_000))
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const people = load(start.ada, start.url)
      const exit = once(start.product.child, 'exit')
      const pid = Number(readFileSync(join(start.folder.path, 'data/running'), 'utf8'))
      const { code, output } = await start.upgrade('The processes are those of the new release.', () =>
        process.kill(pid, signal),
      )
      expect(code, output).to.equal(1)
      expect(output).to.include('npm start has ended. Next: start it again, then the same upgrade.')
      const [ending] = await exit
      if (signal === 'SIGTERM') expect(ending, start.product.output).to.equal(0)
      await start.product.start(new URL(start.url).port)
      await start.isBack()
      await start.ends(people, output)
    }
  })

  it('begins only if npm start can be upgraded, and no other upgrade is at work', async () => {
    start.inRelease('infra/tools/smoke-test.ts', smokeOf(20_000))
    let second: ReturnType<UpgradableStart['upgrade']> | undefined
    const first = await start.upgrade('The processes are those of the new release.', () => {
      second = start.upgrade()
    })
    expect(first.code, first.output).to.equal(0)
    const { code, output } = await second!
    expect(code, output).to.equal(1)
    expect(output).to.include('Another upgrade is at work')
    expect(await start.version()).to.equal(NEXT)
    // As an npm start of 0.2.0 leaves it.
    rmSync(join(start.folder.path, 'data/running-release'))
    expect((await start.upgrade()).output).to.include(
      'Not begun: this npm start was started by an older release',
    )
  })

  it('whose way back fails too says both causes; the same upgrade again leads forward', async () => {
    start.inRelease(
      'shared/stores/migrations/9002_gone.sql',
      `-- works from ${NEXT}\ncreate table gone (id bigint);`,
    )
    const smoke = readFileSync(join(start.release, 'infra/tools/smoke-test.ts'), 'utf8')
    start.inRelease(
      'infra/tools/smoke-test.ts',
      `import { rmSync } from 'node:fs'
       export async function smokeTest() {
         rmSync(process.env['BACKUP_DIR'], { recursive: true })
         throw new Error('no smoke')
       }`,
    )
    const people = load(start.ada, start.url)
    const { code, output } = await start.upgrade()
    expect(code, output).to.equal(1)
    const [, backup] = /Backup: (\S+)\.\n/.exec(output) ?? []
    expect(output)
      .to.include('no smoke The way back failed too: ')
      .and.include(`says that the database is newer: npm run admin -- restore ${backup} --replace`)
    await start.product.until(
      () => start.product.output.includes('The database is newer than this bothy'),
      'the former release says why it does not start',
    )
    start.inRelease('infra/tools/smoke-test.ts', smoke)
    const again = await start.upgrade()
    expect(again.code, again.output).to.equal(0)
    await start.ends(people, output)
    expect(await start.version()).to.equal(NEXT)
  })

  const smokeOf = (within: Milliseconds) => `
    import { setTimeout } from 'node:timers/promises'
    export const smokeTest = () => setTimeout(${within}, ['slow'])`
})
