import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { load } from '#shared/test-kit/load.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { NEXT, UpgradableStart } from '#shared/test-kit/upgradable-start.ts'

describe('an upgrade of npm start', function () {
  this.timeout(240_000)
  let start: UpgradableStart
  beforeEach(async () => {
    start = await UpgradableStart.begin()
  })
  afterEach(() => start.end())

  it('stops, backs up, migrates and starts: nothing acknowledged is lost, and no robot stays', async () => {
    const people = load(start.ada, start.url)
    const away = start.page()
    const { code, output } = await start.upgrade()
    expect(code, output).to.equal(0)
    await start.ends(people, output)
    expect((await away).text).to.include('bothy is not reachable at the moment')
    expect((await away).retryAfter).to.equal('1')
    expect(output)
      .to.include('Migrations: 9001_notes.sql.')
      .and.include('Backup: ')
      .and.include('Smoke test: sign in')
    expect(await start.version()).to.equal(NEXT)
    expect(await start.tables('notes')).to.equal(1)
    expect(await start.robots()).to.deep.equal([])
    for (const port of Array.from({ length: 6 }, (_, i) => start.metricsPort + i)) {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(text, `the port of before: ${port}`).to.include(`bothy_build_info{version="${NEXT}"`)
    }
    expect(start.roots()).to.deep.equal([start.release])
  })

  it('that cannot start goes back by itself and keeps what was written; the next one is free to begin', async function () {
    this.timeout(480_000)
    const entry = readFileSync(join(start.release, 'services/events/main.ts'), 'utf8')
    start.inRelease('services/events/main.ts', `throw new Error('broken release')`)
    const people = load(start.ada, start.url)
    const { code, output } = await start.upgrade()
    expect(code, output).to.equal(1)
    await start.ends(people, output)
    expect(output, output)
      .to.include('The new events ended with 1. Cause: events: Error: broken release. Its log: ')
      .and.include('events.log.')
      .and.include(`bothy ${VERSION} runs as before. Next: mend the cause, then the same upgrade again.`)
    expect(await start.version()).to.equal(VERSION)
    expect(await start.tables('notes'), 'the schema on which this release runs as well').to.equal(1)
    expect(start.roots()).to.deep.equal([ROOT])
    start.inRelease('services/events/main.ts', entry)
    const again = await start.upgrade()
    expect(again.code, again.output).to.equal(0)
    expect(await start.version()).to.equal(NEXT)
    const left = `From now on run npm start in ${start.release}, with BOTHY_DATA=${join(start.folder.path, 'data')}.`
    expect(again.output.trimEnd().split('\n').slice(-2)).to.deep.equal(['', left])

    // The clone is still that of the first release.
    const former = start.release
    start.release = join(start.folder.path, 'after-next')
    cpSync(former, start.release, { recursive: true, verbatimSymlinks: true })
    const about = JSON.parse(readFileSync(join(start.release, 'package.json'), 'utf8'))
    start.inRelease('package.json', JSON.stringify({ ...about, version: '999.1.0' }))
    start.inRelease('services/api/main.ts', `throw new Error('broken release')`)
    const second = await start.upgrade()
    expect(second.output)
      .to.include(`From bothy ${NEXT} to 999.1.0`)
      .and.include(`bothy ${NEXT} runs as before.`)
    expect(await start.version()).to.equal(NEXT)
    await start.product.stop()
    start.url = await start.product.start()
    const reminder = `This is the release before the last upgrade. ${left}`
    await start.product.until(() => start.product.output.includes(reminder), 'the reminder is printed')
  })

  it('whose smoke test fails goes back before the front door opens', async () => {
    start.inRelease(
      'infra/tools/smoke-test.ts',
      `export const smokeTest = () => Promise.reject(new Error('no smoke'))`,
    )
    const people = load(start.ada, start.url)
    const { code, output } = await start.upgrade()
    expect(code, output).to.equal(1)
    await start.ends(people, output)
    expect(output, output).to.include(`no smoke Nothing was lost: bothy ${VERSION} runs as before.`)
    expect(await start.version()).to.equal(VERSION)
  })

  it('whose migration fails halfway starts the former processes on the former schema', async () => {
    start.inRelease(
      'shared/stores/migrations/9002_half.sql',
      `-- works from ${VERSION}\ncreate table half (id bigint); insert into half select id from no_such_table;`,
    )
    const people = load(start.ada, start.url)
    const { code, output } = await start.upgrade()
    expect(code, output).to.equal(1)
    await start.ends(people, output)
    expect(output)
      .to.include('Migration 9002_half.sql failed')
      .and.include('The database is as it was before this migration.')
      .and.include(`bothy ${VERSION} runs as before`)
    expect(await start.tables('half')).to.equal(0)
    expect(await start.version()).to.equal(VERSION)
    expect(start.roots()).to.deep.equal([ROOT])
  })

  it('to a schema that excludes this release restores the backup when it goes back, also that of a newer schema', async () => {
    await start.wentBackEarlier()
    start.inRelease('services/api/main.ts', `throw new Error('broken release')`)
    start.inRelease(
      'shared/stores/migrations/9002_gone.sql',
      `-- works from ${NEXT}\ncreate table gone (id bigint);`,
    )
    const people = load(start.ada, start.url)
    const { code, output } = await start.upgrade()
    expect(code, output).to.equal(1)
    expect(output, output)
      .to.include(`bothy ${VERSION} cannot run on that schema: the way back is the backup.`)
      .and.include(`Nothing was lost: bothy ${VERSION} runs as before, with the data of the backup;`)
    const [, replaced] = /the database of the upgrade is (\w+_before_\w+),/.exec(output) ?? []
    expect(await start.databases(), output).to.include(replaced)
    await start.product.until(
      async () => (await fetch(`${start.url}/readyz?stores`)).ok,
      'the former processes are back',
    )
    expect(await start.tables('notes', 'gone')).to.equal(0)
    expect(await start.tables('earlier'), 'the schema of the backup').to.equal(1)
    expect(await start.version()).to.equal(VERSION)
    const again = new Person('ada', start.url)
    await again.postForm('/login', { username: 'ada', password: PASSWORD })
    start.ada.cookie = again.cookie
    const { lost } = await people.end()
    expect(lost, 'sent before the processes stopped').to.equal(0)
  })
})
